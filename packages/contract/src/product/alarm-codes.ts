import { codes } from '../kit/codes.ts'

/** Kinds of problems of a device, independent of their source. */
export const alarmKind = codes({
  offline: { code: 1, label: '设备离线' },
  portFault: { code: 2, label: '端口故障' },
  overTemperature: { code: 3, label: '温度过高' },
  smoke: { code: 4, label: '烟感报警' },
  water: { code: 5, label: '水浸' },
  leakage: { code: 6, label: '漏电' },
  shortOrders: { code: 7, label: '频繁短时订单' },
  powerLoss: { code: 8, label: '断电' },
  doorOpen: { code: 9, label: '柜门打开' },
  codeSwap: { code: 10, label: '疑似二维码调换' },
  emergencyStop: { code: 11, label: '急停' },
  overload: { code: 12, label: '整机过载' },
  other: { code: 13, label: '其他告警' },
  cardMisuse: { code: 14, label: '储值卡异常' },
  impostor: { code: 15, label: '疑似冒名设备' },
})
export type AlarmKind = keyof typeof alarmKind.code
export type AlarmKindCode = (typeof alarmKind.options)[number]['value']

export const alarmSeverity = codes({
  critical: { code: 1, label: '紧急', tone: 'bad' },
  major: { code: 2, label: '重要', tone: 'warn' },
  minor: { code: 3, label: '一般', tone: 'run' },
})

export const alarmStatus = codes({
  open: { code: 1, label: '未处理', tone: 'bad' },
  acknowledged: { code: 2, label: '处理中', tone: 'warn' },
  closed: { code: 3, label: '已关闭', tone: 'off' },
})
/** A filter for open or acknowledged alarms; it has no opposite. */
export const unclosedAlarms = codes({ only: { code: 'true', label: '未关闭' } })
export const alarmFlow = alarmStatus.flow({
  acknowledge: { from: ['open'], to: 'acknowledged' },
  close: { from: ['open', 'acknowledged'], to: 'closed' },
})

/**
 * The condition that closes an alarm of a kind. state: the device reports recovery. quiet: it is online and has not
 * repeated the report. person: only a manual check; smoke is not cleared by missing reports.
 */
export type AlarmProof = 'state' | 'quiet' | 'person'
const proofs: Record<AlarmKind, AlarmProof> = {
  offline: 'state',
  portFault: 'state',
  overTemperature: 'quiet',
  smoke: 'person',
  water: 'person',
  leakage: 'person',
  shortOrders: 'quiet',
  powerLoss: 'quiet',
  doorOpen: 'quiet',
  codeSwap: 'person',
  emergencyStop: 'quiet',
  overload: 'quiet',
  other: 'quiet',
  cardMisuse: 'person',
  impostor: 'person',
}
const kindNames = new Map(
  (Object.keys(alarmKind.code) as AlarmKind[]).map((name) => [alarmKind.code[name], name] as const),
)
export const kindName = (kind: AlarmKindCode): AlarmKind => kindNames.get(kind) ?? 'other'
export const proofOf = (kind: AlarmKindCode): AlarmProof => proofs[kindName(kind)]

/** Numbers of a rule that only some kinds have, with their bounds. */
type RuleNumber = { label: string; unit: string; min: number; max: number }
export const ruleThreshold: Partial<Record<AlarmKind, RuleNumber>> = {
  offline: { label: '离线超过', unit: '分钟', min: 1, max: 1440 },
  overTemperature: { label: '温度达到', unit: '℃', min: 50, max: 120 },
  shortOrders: { label: '一小时内', unit: '笔', min: 2, max: 100 },
}
/** The longest order that can count as short. */
export const shortOrderMaxMin = 60
export const ruleMinutes: Partial<Record<AlarmKind, RuleNumber>> = {
  shortOrders: { label: '单笔短于', unit: '分钟', min: 1, max: shortOrderMaxMin },
}

export const incidentStatus = codes({
  open: { code: 1, label: '进行中', tone: 'bad' },
  ended: { code: 2, label: '已结束', tone: 'off' },
})
export const incidentFlow = incidentStatus.flow({ end: { from: ['open'], to: 'ended' } })

/** Dimensions in which devices may share a cause. */
export const causeDimension = codes({
  site: { code: 1, label: '站点' },
  carrier: { code: 2, label: '通信运营商' },
  firmware: { code: 3, label: '固件版本' },
  type: { code: 4, label: '设备型号' },
  batch: { code: 5, label: '安装日期' },
  gateway: { code: 6, label: '接入网关' },
})

/** The details of an alarm as text. */
export function alarmDetailText(detail: Readonly<Record<string, unknown>>): string {
  const { temperatureC, orders, word } = detail
  return [
    ...(typeof temperatureC === 'number' ? [`${temperatureC}℃`] : []),
    ...(typeof orders === 'number' ? [`一小时内 ${orders} 笔`] : []),
    ...(typeof word === 'string' ? [word] : []),
  ].join('，')
}
