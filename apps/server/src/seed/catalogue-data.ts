import { dnyTiming } from '@wattdeck/device-protocol/dny/timing.ts'
import { mqttTiming } from '@wattdeck/device-protocol/mqtt-json/timing.ts'
import { ocppTiming } from '@wattdeck/device-protocol/ocpp16/timing.ts'
import { ykcTiming } from '@wattdeck/device-protocol/ykc/timing.ts'
/** The product catalogue as it is delivered. People change it afterwards in 产品配置. */

type Category = { code: string; name: string; icon: string }
export const categories: Category[] = [
  { code: '01', name: '电动汽车充电', icon: 'car' },
  { code: '01-01', name: '交流充电桩', icon: 'pile' },
  { code: '01-02', name: '直流充电桩', icon: 'pile' },
  { code: '02', name: '电动自行车充电', icon: 'pile' },
  { code: '02-01', name: '单路插座', icon: 'socket' },
  { code: '02-02', name: '多路插座', icon: 'socket' },
  { code: '02-03', name: '充电柜', icon: 'cabinet' },
  { code: '02-05', name: '立式充电桩', icon: 'pile' },
  { code: '03', name: '电动自行车换电', icon: 'cabinet' },
  { code: '03-01', name: '换电柜', icon: 'cabinet' },
  { code: '04', name: '洗衣机', icon: 'washer' },
  { code: '04-01', name: '波轮洗衣机', icon: 'washer' },
  { code: '04-02', name: '滚筒洗衣机', icon: 'washer' },
]

const transport = { tcp: 1, https: 4, mqtt: 6 } as const

type Protocol = {
  code: string
  name: string
  version: string
  adapter: 'dny' | 'mqtt-json' | 'ocpp16' | 'ykc' | null
  transport: number
  endpoint: string | null
  heartbeatS: number
  missed: number
  frame: string
  remark: string | null
}
export const protocols: Protocol[] = [
  {
    code: 'DNY',
    name: 'AP3000 DNY',
    version: 'V8.6',
    adapter: 'dny',
    transport: transport.tcp,
    endpoint: null,
    heartbeatS: dnyTiming.heartbeatMs / 1000,
    missed: 2,
    frame:
      '44 4E 59 | 长度2 | 物理ID4 | 消息ID2 | 命令1 | 数据n | 累加和2\n小端字节序；长度从物理ID算到累加和；累加和为之前所有字节之和的低16位；整帧不超过256字节',
    remark: '端口从0开始编号；两条指令之间至少间隔0.5秒；15秒无应答以相同消息ID重发一次',
  },
  {
    code: 'MQTT-JSON',
    name: 'MQTT JSON',
    version: 'V1.0',
    adapter: 'mqtt-json',
    transport: transport.mqtt,
    endpoint: null,
    heartbeatS: mqttTiming.heartbeatMs / 1000,
    missed: 2,
    frame: '每条消息为一个UTF-8编码的JSON对象',
    remark: null,
  },
  {
    code: 'OCPP-16J',
    name: 'OCPP',
    version: '1.6J',
    adapter: 'ocpp16',
    transport: transport.https,
    endpoint: '/ocpp/{chargePointId}',
    heartbeatS: ocppTiming.heartbeatMs / 1000,
    missed: ocppTiming.heartbeatsMissed,
    frame:
      'WebSocket，子协议 ocpp1.6\n请求 [2, id, action, payload]，应答 [3, id, payload]，错误 [4, id, code, description, details]',
    remark: '心跳间隔在 BootNotification 应答中下发；按设备的安全等级以密码或证书接入，不允许降级',
  },
  {
    code: 'YKC-15',
    name: '云快充',
    version: 'V1.5/V1.6',
    adapter: 'ykc',
    transport: transport.tcp,
    endpoint: null,
    heartbeatS: ykcTiming.heartbeatMs / 1000,
    missed: ykcTiming.heartbeatsMissed,
    frame:
      '68 | 长度1 | 序列号2 | 加密1 | 类型1 | 数据n | CRC2\n小端字节序；CRC-16/MODBUS，从序列号算到数据，低字节在前',
    remark: '桩编号为14位数字；每枪每10秒一次心跳，连续3次未收到视为离线；不支持加密报文',
  },
]

const [up, down] = [1, 2] as const
/** Word, function, direction, parameters, and where they differ from 15 s and one retry: timeout and retries. */
type Instruction = [string, string, 1 | 2, string, { timeoutS?: number; retries?: number }?]
const basic: Instruction[] = [
  ['0x20', '设备注册', up, '固件版本2, 端口数1, 虚拟ID1, 设备类型1, 工作模式1, 电源板版本2'],
  ['0x21', '设备心跳', up, '电压2, 端口数1, 端口状态×n, 信号1, 温度1'],
  ['0x11', '主机心跳', up, '固件版本2, RTC1, 时间4, CSQ1, 模块类型1, SIM卡号20, 主机类型1, 频率2, IMEI15, 模块版本24'],
  ['0x22', '获取时间', up, '无'],
  ['0x02', '刷卡', up, '卡ID4, 类型1, 端口1, 余额2, 时间4'],
  [
    '0x03',
    '结算',
    up,
    '时长2, 最大功率2, 电量2, 端口1, 启动方式1, 卡号4, 停止原因1, 订单号16, 第二最大功率2, 时间4, 占位时长2',
  ],
  ['0x06', '端口功率上报', up, '端口1, 状态1, 时长2, 累计电量2, 启动方式1, 实时/最大/最小/平均功率2×4, 订单号16'],
  ['0x42', '报警', up, '报警类型1：1断电 2水浸 3热熔胶 4烟感 5温感 6水位 7柜门'],
  ['0x81', '查询状态', down, '无'],
  [
    '0x82',
    '启停端口',
    down,
    '费率模式1, 余额/有效期4, 端口1, 命令1（0停 1开）, 时长/电量2, 订单号16, 最大时长2, 过载功率2, 二维码灯1',
  ],
  ['0x85', '设置充电限制', down, '最大时长2, 过载功率2, 过压值2, 欠压值2'],
  ['0x87', '重启设备', down, '无', { retries: 0 }],
]
const extended: Instruction[] = [
  ['0x83', '设置充电参数', down, '拔出功率2, 拔出识别时间2, 浮充百分比1, 浮充识别时间2, 浮充时间2, 心跳间隔2'],
  ['0x84', '设置保护参数', down, '动态过载功率2, 动态过载识别时间2, 动态过载开始时间2, 拔出干扰功率1, 报警温度1×2'],
  ['0x86', '设置卡密', down, '扇区1, 卡密6, 新卡密6'],
  ['0x88', '清除存储', down, '无', { retries: 0 }],
  ['0x8A', '修改时长/电量', down, '模式1, 端口1, 时长/电量2'],
  ['0x8E', '设置二维码地址', down, '地址文本'],
  ['0x90', '查询充电参数', down, '无'],
  ['0x91', '查询保护参数', down, '无'],
  ['0x92', '查询充电限制', down, '无'],
  ['0xE0', '固件升级', down, '总包数2, 当前包2, 固件200', { timeoutS: 30, retries: 3 }],
]

type InstructionSet = { code: string; name: string; version: string; protocol: string; instructions: Instruction[] }
export const instructionSets: InstructionSet[] = [
  { code: 'XY-2-V10', name: '充电指令集 V1.0', version: 'V1.0', protocol: 'DNY', instructions: basic },
  {
    code: 'XY-2-V20',
    name: '充电指令集 V2.0',
    version: 'V2.0',
    protocol: 'DNY',
    instructions: [...basic, ...extended],
  },
]

const type = { integer: 1, decimal: 2, onOff: 4 } as const
const access = { read: 1, readWrite: 3 } as const
type Attribute = {
  identifier: string
  name: string
  group: string
  dataType: number
  access: number
  unit?: string
  range?: readonly [number, number]
  value?: string
}
const given = (value: string | undefined) => (value === undefined ? {} : { value })
const whole = (unit: string, range: readonly [number, number], value?: string) => ({
  dataType: type.integer,
  access: access.readWrite,
  unit,
  range,
  ...given(value),
})
const decimal = (unit: string, range: readonly [number, number], value?: string) => ({
  dataType: type.decimal,
  access: access.readWrite,
  unit,
  range,
  ...given(value),
})
const onOff = (value: '0' | '1') => ({ dataType: type.onOff, access: access.readWrite, value })
const seconds = (value: string, range: readonly [number, number] = [0, 65_535]) => whole('s', range, value)
const [charging, safety, link, shown] = ['充电参数', '安全保护', '通信参数', '显示参数']
/** Identifiers are those by which the device protocols know them; values stand in units that people read. */
export const attributes: Attribute[] = [
  { identifier: 'floatPercent', name: '浮充功率百分比', group: charging, ...whole('%', [1, 100], '20') },
  { identifier: 'floatDetectTime', name: '浮充识别时间', group: charging, ...seconds('1800') },
  { identifier: 'floatTime', name: '浮充时间', group: charging, ...seconds('3600') },
  { identifier: 'maxDuration', name: '最大充电时间', group: charging, ...seconds('36000', [60, 65_535]) },
  { identifier: 'minPower', name: '最小功率', group: charging, ...decimal('W', [0, 6553.5], '30') },
  { identifier: 'unplugPower', name: '拔出功率', group: charging, ...decimal('W', [0, 6553.5], '0.3') },
  { identifier: 'unplugTime', name: '拔出识别时间', group: charging, ...seconds('10') },
  { identifier: 'unplugCheckOff', name: '关闭用户拔出判断', group: charging, ...onOff('0') },
  { identifier: 'overloadPower', name: '过载功率', group: safety, ...decimal('W', [0.1, 3500]) },
  { identifier: 'dynamicOverload', name: '动态过载功率', group: safety, ...whole('W', [0, 65_535], '800') },
  { identifier: 'dynamicOverloadTime', name: '动态过载识别时间', group: safety, ...seconds('30') },
  { identifier: 'overVoltage', name: '过压值', group: safety, ...decimal('V', [220, 300], '270') },
  { identifier: 'underVoltage', name: '欠压值', group: safety, ...decimal('V', [50, 220], '100') },
  { identifier: 'ambientAlarm', name: '环境报警温度', group: safety, ...whole('℃', [0, 120], '80') },
  { identifier: 'portAlarm', name: '端口报警温度', group: safety, ...whole('℃', [0, 120], '80') },
  { identifier: 'heartbeatInterval', name: '心跳上报间隔', group: link, ...seconds('180', [30, 3600]) },
  { identifier: 'csq', name: '信号强度', group: link, dataType: type.integer, access: access.read, range: [0, 99] },
  { identifier: 'codeLightOff', name: '关闭二维码灯', group: shown, ...onOff('1') },
]

/** Every delivered attribute, in the order above. */
export const template = { name: '电动自行车插座通用模板', version: 'V1.0' }

type DeviceType = {
  code: string
  name: string
  ports: number
  metering: 0 | 1
  ratedW: number
  protocol: string
  set?: string
  template?: true
}
export const deviceTypes: DeviceType[] = [
  { code: '01-01-01', name: '7kW交流充电桩', ports: 1, metering: 0, ratedW: 7000, protocol: 'OCPP-16J' },
  { code: '01-01-02', name: '14kW交流双枪充电桩', ports: 2, metering: 0, ratedW: 14_000, protocol: 'OCPP-16J' },
  { code: '01-02-01', name: '60kW直流双枪充电桩', ports: 2, metering: 0, ratedW: 60_000, protocol: 'YKC-15' },
  {
    code: '02-02-01',
    name: '双路智能插座',
    ports: 2,
    metering: 1,
    ratedW: 2200,
    protocol: 'DNY',
    set: 'XY-2-V10',
    template: true,
  },
  {
    code: '02-02-02',
    name: '十路智能插座',
    ports: 10,
    metering: 0,
    ratedW: 5500,
    protocol: 'DNY',
    set: 'XY-2-V20',
    template: true,
  },
  {
    code: '02-02-03',
    name: '十路智能插座（MQTT）',
    ports: 10,
    metering: 0,
    ratedW: 5500,
    protocol: 'MQTT-JSON',
    template: true,
  },
  {
    code: '02-05-02',
    name: '十二路立式充电桩',
    ports: 12,
    metering: 0,
    ratedW: 6600,
    protocol: 'DNY',
    set: 'XY-2-V20',
    template: true,
  },
  { code: '04-01-05', name: '波轮洗衣机控制器', ports: 1, metering: 1, ratedW: 500, protocol: 'MQTT-JSON' },
]
