import { accountStatus } from '@wattdeck/device-protocol/account-status.ts'
import { alarmKind } from '@wattdeck/device-protocol/alarm-kind.ts'
import { dnyAttributeGroups } from '@wattdeck/device-protocol/dny/attributes.ts'
import { plugStatus } from '@wattdeck/device-protocol/plug-status.ts'
import { refusal } from '@wattdeck/device-protocol/refusal.ts'
import { startMode } from '@wattdeck/device-protocol/start-mode.ts'
import { stopReason } from '@wattdeck/device-protocol/stop-reason.ts'

/** Labels for the messages of devices. */

const kinds: Readonly<Record<string, string>> = {
  register: '注册',
  heartbeat: '心跳',
  portStatus: '端口状态',
  host: '主机心跳',
  portReport: '端口上报',
  swipe: '刷卡',
  offlineStart: '离线启动',
  started: '充电开始',
  settlement: '结算',
  strayStop: '未知交易结束',
  alarm: '报警',
  commandResult: '指令应答',
  clockAsked: '请求对时',
  tariffAsked: '请求计费模型',
  remark: '其他上报',
  iccid: 'ICCID上报',
  link: '链路保活',
  restart: '重启',
  stop: '停用',
  restore: '恢复',
  startPort: '启动端口',
  stopPort: '停止端口',
  changePort: '修改时长/电量',
  query: '查询状态',
  readAttributes: '读取属性',
  writeAttributes: '设置属性',
  setClock: '对时',
  setTariff: '设置计费模型',
  ack: '确认',
  swipeAnswer: '刷卡应答',
}
export const kindOf = (message: object): string => {
  const kind = 'kind' in message && typeof message.kind === 'string' ? message.kind : ''
  return kinds[kind] ?? kind
}

/** Labels of fields by name. The end of the name gives the unit. */
const words: Readonly<Record<string, string>> = {
  id: '指令编号',
  counter: '指令计数',
  issuedAtS: '下发时间',
  expiresAtS: '失效时间',
  atS: '时间',
  bootId: '启动次数',
  seq: '序号',
  deviceTimeS: '设备时间',
  pileNo: '桩编号',
  port: '端口',
  ports: '端口状态',
  status: '状态',
  orderNo: '订单号',
  transactionId: '交易号',
  meterWh: '电表读数',
  info: '说明',
  about: '消息',
  text: '内容',
  by: '结束条件',
  durationS: '时长',
  maxDurationS: '最大时长',
  energyWh: '电量',
  energyDwh: '电量',
  lossDwh: '计损电量',
  amountYuanE4: '金额',
  byPrice: '分时',
  priceYuanE5: '单价',
  energyYuanE5: '电费',
  serviceYuanE5: '服务费',
  meterStartDwh: '电表起值',
  meterEndDwh: '电表止值',
  startedAtS: '开始时间',
  endedAtS: '结束时间',
  vin: 'VIN码',
  stopWhenFull: '充满自停',
  powerDw: '功率',
  meanPowerDw: '平均功率',
  maxPowerDw: '最大功率',
  minPowerDw: '最小功率',
  peakPowerDw: '峰值功率',
  earlyPowerDw: '前五分钟最大功率',
  overloadDw: '过载功率',
  spanEnergyRaw: '区间电量原值',
  voltageDv: '电压',
  currentMa: '电流',
  temperatureC: '温度',
  portTemperatureC: '端口温度',
  batteryTemperatureC: '电池温度',
  socPercent: 'SOC',
  remainingMin: '剩余时间',
  faults: '硬件故障',
  occupiedMin: '占位时长',
  csq: '信号强度',
  localSignal: '主机信号',
  start: '启动方式',
  stopReason: '停止原因',
  alarm: '报警',
  sensor: '传感器地址',
  inputs: '输入位',
  card: '卡号',
  longCard: '长卡号',
  cardKind: '卡类型',
  account: '账户状态',
  balanceFen: '余额',
  firmware: '软件版本',
  powerBoardFirmware: '电源板版本',
  modemFirmware: '模组版本',
  model: '型号',
  protocolVersion: '协议版本',
  modelNo: '计费模型编号',
  prices: '电价',
  periods: '时段费率号',
  lossPercent: '计损比例',
  force: '立即执行',
  portCount: '端口数',
  iccid: 'ICCID',
  imei: 'IMEI',
  subAddress: '分机地址',
  workMode: '工作模式',
  hostType: '主机类型',
  modemType: '模组类型',
  clockChip: '时钟芯片',
  radioFrequency: '频率',
  commandId: '指令编号',
  messageId: '消息ID',
  ok: '成功',
  carriedOut: '已执行',
  refusal: '拒绝原因',
  waitingPorts: '待充端口',
  identifiers: '属性',
  bad: '错误',
  restartNeeded: '重启后生效',
}
const wordOf = (name: string) => words[name] ?? name

const attributes = new Map(
  dnyAttributeGroups.flatMap((group) => group.attributes.map((attribute) => [attribute.identifier, attribute])),
)

const units: readonly (readonly [ending: RegExp, size: number, unit: string])[] = [
  [/Dw$/, 10, ' W'],
  [/Dv$/, 10, ' V'],
  [/Ma$/, 1000, ' A'],
  [/Dwh$/, 10_000, ' kWh'],
  [/Wh$/, 1000, ' kWh'],
  [/YuanE4$/, 10_000, ' 元'],
  [/YuanE5$/, 100_000, ' 元'],
  [/Percent$/, 1, '%'],
  [/Min$/, 1, ' 分钟'],
  [/C$/, 1, ' ℃'],
  [/Fen$/, 100, ' 元'],
  [/AtS$|^atS$|TimeS$/, 0, ''],
  [/S$/, 1, ' 秒'],
]
const timeText = (seconds: number) => new Date((seconds + 8 * 3600) * 1000).toISOString().slice(0, 19).replace('T', ' ')
function numberText(name: string, value: number): string {
  const [, size, unit] = units.find(([ending]) => ending.test(name)) ?? [undefined, 1, '']
  return size === 0 ? timeText(value) : `${value / size}${unit}`
}

type Labels = { labelOf: (name: never) => string }
const tables: Readonly<Record<string, Labels>> = {
  status: plugStatus,
  ports: plugStatus,
  start: startMode,
  stopReason,
  alarm: alarmKind,
  faults: alarmKind,
  refusal,
  account: accountStatus,
}
const limits: Readonly<Record<string, string>> = { full: '充满为止', duration: '按时长', energy: '按电量' }

type Content = Readonly<Record<string, unknown>>
const isContent = (value: unknown): value is Content =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isReading = (value: unknown): value is { name: string; raw: number | string } =>
  isContent(value) && typeof value['name'] === 'string' && 'raw' in value

function valueText(name: string, value: unknown): string {
  if (typeof value === 'number') return numberText(name, value)
  if (typeof value === 'boolean') return value ? '是' : '否'
  if (isReading(value)) return `${tables[name]?.labelOf(value.name as never) ?? value.name}（${value.raw}）`
  if (Array.isArray(value)) return listText(name, value as unknown[])
  if (isContent(value))
    return Object.entries(value)
      .map(([part, one]) => `${wordOf(part)} ${valueText(part, one)}`)
      .join(' ')
  if (value === 'auto') return '自动选择'
  if (name === 'by') return limits[String(value)] ?? String(value)
  return String(value)
}

function listText(name: string, values: readonly unknown[]): string {
  if (name === 'identifiers') return values.map((one) => attributes.get(String(one))?.label ?? String(one)).join('、')
  if (name === 'ports') return values.map((one, at) => `${at + 1}路 ${valueText(name, one)}`).join('，')
  if (name === 'byPrice' || name === 'prices')
    return values.map((one, at) => `${'尖峰平谷'.charAt(at)}：${valueText(name, one)}`).join('，')
  return values.map((one) => valueText(name, one)).join('、')
}

const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0

type LabelledValue = { name: string; label: string; value: string }

/** An attribute with the label and unit of its protocol. Secrets are masked. */
function labelAttribute([name, value]: [string, unknown]): LabelledValue {
  const attribute = attributes.get(name)
  const tenth = attribute?.unit.startsWith('0.1') === true
  const text = tenth
    ? `${Number(value) / 10} ${attribute.unit.slice(3)}`
    : `${String(value)} ${attribute?.unit ?? ''}`.trim()
  return { name, label: attribute?.label ?? name, value: attribute?.secret === true ? '******' : text }
}

/** The fields of a message with their labels. A field without a label keeps its name. */
export function labelFields(content: object): LabelledValue[] {
  return Object.entries(content).flatMap(([name, value]): LabelledValue[] => {
    if (name === 'kind' || value === undefined || value === null || isEmpty(value)) return []
    if (!isContent(value) || isReading(value)) return [{ name, label: wordOf(name), value: valueText(name, value) }]
    return name === 'attributes' || name === 'values' ? Object.entries(value).map(labelAttribute) : labelFields(value)
  })
}

const reasons: readonly (readonly [RegExp, (...found: string[]) => string])[] = [
  [/^the frame is encrypted$/, () => '不支持加密报文'],
  [/^the data ends in (\w+)$/, (name = '') => `数据不完整，缺少「${attributes.get(name)?.label ?? wordOf(name)}」`],
  [/^command (\w+) is not known$/, (command = '') => `不支持的命令 0x${command.toUpperCase().padStart(2, '0')}`],
  [/^kind (\w+) is not known$/, (kind = '') => `不支持的消息类型 ${kind}`],
  [/^action (\w+) is not (?:known|supported)$/, (action = '') => `不支持的动作 ${action}`],
  [/^message type is not known$/, () => '消息类型不是 2、3 或 4'],
  [/^([\w.[\]]+) is missing$/, (name = '') => `缺少字段 ${name}`],
  [/^([\w.[\]]+) is not valid$/, (name = '') => `字段 ${name} 的值不正确`],
  [/^more than (\d+) bytes$/, (bytes = '') => `报文超过 ${bytes} 字节`],
  [/^deeper than \d+$/, () => '报文嵌套过深'],
  [/^not a JSON array$/, () => '报文不是 JSON 数组'],
  [/^not (?:a JSON object|JSON in UTF-8)$/, () => '报文不是 JSON 对象'],
]
/** Why a message could not be decoded. */
export function reasonText(reason: string): string {
  for (const [pattern, say] of reasons) {
    const found = pattern.exec(reason)
    if (found !== null) return say(...found.slice(1))
  }
  return '报文内容与协议不符'
}
