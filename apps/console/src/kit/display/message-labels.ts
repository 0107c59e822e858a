import { messageKind, plugStatus } from '@wattdeck/contract/product/device-codes.ts'
import { readingLabel } from './reading-labels.ts'
import { formatDatetime } from './format-datetime.ts'

type Content = Readonly<Record<string, unknown>>
export type LabelledValue = { key: string; label: string; value: string }

/** Labels of message fields, in order of importance. The suffix of a field name is its unit. */
const words: Readonly<Record<string, string>> = {
  port: '端口',
  status: '状态',
  ports: '端口状态',
  alarm: '报警',
  powerDw: '功率',
  meanPowerDw: '平均功率',
  maxPowerDw: '最大功率',
  minPowerDw: '最小功率',
  peakPowerDw: '峰值功率',
  earlyPowerDw: '初期功率',
  overloadDw: '过载功率',
  voltageDv: '电压',
  currentMa: '电流',
  energyWh: '电量',
  energyDwh: '精确电量',
  lossDwh: '计损电量',
  amountYuanE4: '金额',
  durationS: '时长',
  startedAtS: '开始时间',
  endedAtS: '结束时间',
  remainingMin: '剩余时间',
  socPercent: 'SOC',
  occupiedMin: '占用时长',
  temperatureC: '温度',
  portTemperatureC: '端口温度',
  batteryTemperatureC: '电池温度',
  faults: '硬件故障',
  csq: '信号(CSQ)',
  localSignal: '主机信号',
  orderNo: '订单号',
  transactionId: '交易号',
  meterWh: '电表读数',
  start: '启动方式',
  stopReason: '停止原因',
  byPrice: '分时',
  priceYuanE5: '单价',
  meterStartDwh: '电表起值',
  meterEndDwh: '电表止值',
  card: '卡号',
  vin: 'VIN码',
  longCard: '长卡号',
  cardKind: '卡类型',
  balanceFen: '余额',
  firmware: '软件版本',
  powerBoardFirmware: '功率板版本',
  modemFirmware: '模组版本',
  model: '型号',
  protocolVersion: '协议版本',
  modelNo: '计费模型编号',
  about: '内容',
  portCount: '端口数',
  iccid: 'ICCID',
  imei: 'IMEI',
  commandId: '指令编号',
  messageId: '消息编号',
  ok: '成功',
  carriedOut: '已执行',
  refusal: '拒绝原因',
  waitingPorts: '等待端口',
  attributes: '属性',
  restartNeeded: '重启后生效',
  info: '说明',
  text: '内容',
  sensor: '传感器',
  inputs: '输入位',
  subAddress: '分机地址',
  workMode: '工作模式',
  hostType: '主机类型',
  modemType: '模组类型',
  clockChip: '时钟芯片',
  radioFrequency: '频点',
  order: '启动与序号',
  deviceTimeS: '设备时间',
}
const order = new Map(Object.keys(words).map((key, place) => [key, place]))

/** '1200' with 'powerDw' → '120 W'. */
const units: readonly (readonly [suffix: RegExp, size: number, unit: string])[] = [
  [/Dw$/, 10, 'W'],
  [/Dv$/, 10, 'V'],
  [/Ma$/, 1000, 'A'],
  [/Dwh$/, 10_000, 'kWh'],
  [/Wh$/, 1000, 'kWh'],
  [/YuanE4$/, 10_000, '元'],
  [/YuanE5$/, 100_000, '元'],
  [/Percent$/, 1, '%'],
  [/Min$/, 1, '分钟'],
  [/C$/, 1, '℃'],
  [/Fen$/, 100, '元'],
]

const minutes = (seconds: number) =>
  seconds < 60 ? `${seconds} 秒` : `${Math.floor(seconds / 60)} 分${seconds % 60 === 0 ? '钟' : ` ${seconds % 60} 秒`}`

function numberText(key: string, value: number): string {
  if (key === 'deviceTimeS' || key.endsWith('AtS')) return formatDatetime(value * 1000)
  if (key.endsWith('S')) return minutes(value)
  const [, size, unit] = units.find(([suffix]) => suffix.test(key)) ?? [undefined, 1, undefined]
  return unit === undefined ? String(value) : `${value / size} ${unit}`
}

/** The prefix of each item of a list, by its index. */
const heads: Readonly<Record<string, (place: number) => string>> = {
  ports: (place) => `${place + 1}:`,
  byPrice: (place) => `${'尖峰平谷'.charAt(place)}:`,
}

const isRecord = (value: unknown): value is Content =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function valueText(key: string, value: unknown): string {
  if (typeof value === 'number') return numberText(key, value)
  if (typeof value === 'boolean') return value ? '是' : '否'
  if (Array.isArray(value)) {
    const names = key === 'ports' ? 'status' : key
    return value.map((one, place) => (heads[key]?.(place) ?? '') + valueText(names, one)).join('，')
  }
  if (!isRecord(value)) return String(value)
  if (typeof value['name'] === 'string') return readingLabel(key, value['name'])
  return Object.entries(value)
    .map(([name, inner]) => `${words[name] ?? name} ${valueText(name, inner)}`)
    .join('，')
}

const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0

/** The labelled fields of a message. A field without a label is shown as it is. */
export function labelledFields(content: Content): LabelledValue[] {
  return Object.entries(content)
    .filter(([key, value]) => key !== 'kind' && value !== null && value !== undefined && !isEmpty(value))
    .toSorted(([one], [other]) => (order.get(one) ?? 99) - (order.get(other) ?? 99))
    .map(([key, value]) => ({ key, label: words[key] ?? key, value: valueText(key, value) }))
}

export const contentText = (content: Content) =>
  labelledFields(content)
    .map(({ label, value }) => `${label} ${value}`)
    .join('，')

const kinds = new Map<string, string>(messageKind.options.map(({ value, label }) => [value, label]))
/** A sent command has its own kind, which may not be among the kinds that devices report. */
export const kindText = (kind: string) => kinds.get(kind) ?? kind

const plugs = new Map<number, string>(plugStatus.options.map(({ value, label }) => [value, label]))

/** The text of an event: the port status before and after, the alarm, or ''. */
export function eventText(detail: Content): string {
  const [from, to] = ['from', 'to'].map((key) => {
    const value = detail[key]
    return typeof value === 'number' ? (plugs.get(value) ?? String(value)) : undefined
  })
  // `raw` is for support and not displayed.
  const { from: _from, to: _to, raw: _raw, ...rest } = detail
  const moved = to === undefined ? '' : from === undefined ? `变为${to}` : `${from} → ${to}`
  return [moved, contentText(rest)].filter((part) => part !== '').join('，')
}
