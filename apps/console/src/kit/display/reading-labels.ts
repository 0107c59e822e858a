import { plugStatus } from '@wattdeck/contract/product/device-codes.ts'

/** Labels for the names of decoded device values. A name without a label is shown as it is. */
const alarms: Readonly<Record<string, string>> = {
  powerLoss: '断电',
  flooded: '水浸',
  glueMelted: '热熔胶触发',
  smoke: '烟感报警',
  heat: '温感报警',
  waterLevel: '水位报警',
  doorOpen: '柜门弹开',
  leakage: '漏电',
  emergencyStop: '急停',
  overload: '整机过载',
  hardware: '硬件故障',
}
const stops: Readonly<Record<string, string>> = {
  full: '充满自停',
  maxDuration: '达到最大充电时长',
  presetDuration: '达到预设时间',
  presetEnergy: '达到预设电量',
  presetAmount: '达到预设金额',
  unplugged: '用户拔出',
  overload: '负载过大',
  remote: '平台停止',
  dynamicOverload: '动态过载',
  lowPower: '功率过小',
  ambientHot: '环境温度过高',
  portHot: '端口温度过高',
  overCurrent: '过流',
  noPower: '无功率',
  relayFault: '继电器或保险丝故障',
  flooded: '水浸断电',
  fire: '灭火断电',
  doorOpen: '柜门打开',
  localStop: '现场停止',
  cardStop: '刷卡停止',
  forced: '平台强制停止',
  storageFault: '存储器故障',
  overVoltage: '过压',
  underVoltage: '欠压',
  powerLoss: '断电',
  emergencyStop: '急停',
  leakage: '漏电',
  startFailed: '启动失败',
  aborted: '异常中止',
}
const starts: Readonly<Record<string, string>> = {
  platform: '平台启动',
  offlineCard: '离线刷卡启动',
  offlineCode: '验证码启动',
}
const plugs: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(plugStatus.code).map(([name, code]) => [name, plugStatus.show(code).label]),
)
const tables: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  alarm: alarms,
  faults: alarms,
  stopReason: stops,
  start: starts,
  status: plugs,
}

export const readingLabel = (field: string, name: string) =>
  name === 'unknown' ? '未知' : (tables[field]?.[name] ?? name)
