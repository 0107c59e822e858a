import type { AlarmRule } from '@wattdeck/contract/product/alarm-center.ts'
import { type AlarmKindCode, alarmKind, proofOf } from '@wattdeck/contract/product/alarm-codes.ts'
import { faultPlugs } from './alarm-signals.ts'

/** A signal with the state of its device at the time of the judgement. */
export type ReportedSignal = {
  id: string
  deviceId: string
  organiseId: string
  portNo: number
  kind: AlarmKindCode
  sick: boolean
  atMs: number
  detail: Readonly<Record<string, unknown>>
  online: boolean
  stopped: boolean
  /** Since when the device is offline, if it is. */
  offlineSinceMs: number
  /** Durations of the orders at this port that ended within the last hour. */
  durationsS: readonly number[]
}

/** The result of judging a signal. The signal is deleted unless `keepUntilMs` is set. */
export type Verdict = {
  sickAtMs?: number
  healthyAtMs?: number
  keepUntilMs?: number
  detail?: Readonly<Record<string, unknown>>
}

const hourMs = 3_600_000
const minuteMs = 60_000

export function judge(signal: ReportedSignal, rule: AlarmRule | undefined, nowMs: number): Verdict {
  const { kind, atMs, detail } = signal
  // A healthy signal ends alarms regardless of the current rule.
  if (!signal.sick) return { healthyAtMs: atMs }
  if (rule === undefined || !rule.enabled) return {}
  if (kind === alarmKind.code.offline) return judgeOffline(signal, rule, nowMs)
  if (kind === alarmKind.code.shortOrders) return judgeShortOrders(signal, rule, nowMs)
  const { temperatureC } = detail
  if (typeof temperatureC === 'number' && temperatureC < (rule.threshold ?? 0)) return {}
  return { sickAtMs: atMs, detail }
}

/** The device may have reconnected and disconnected again, so the latest disconnection counts. */
function judgeOffline({ online, stopped, offlineSinceMs }: ReportedSignal, rule: AlarmRule, nowMs: number): Verdict {
  if (online || stopped) return {}
  const dueMs = offlineSinceMs + (rule.threshold ?? 0) * minuteMs
  return nowMs < dueMs ? { keepUntilMs: dueMs } : { sickAtMs: offlineSinceMs }
}

/** Keeps each signal for an hour, so that later ones count it. */
function judgeShortOrders({ atMs, durationsS }: ReportedSignal, rule: AlarmRule, nowMs: number): Verdict {
  if (nowMs >= atMs + hourMs) return {}
  const orders = durationsS.filter((seconds) => seconds < (rule.minutes ?? 0) * 60).length
  const result = { keepUntilMs: atMs + hourMs }
  return orders < (rule.threshold ?? Infinity) ? result : { ...result, sickAtMs: atMs, detail: { orders } }
}

/** The summary of a batch of signals for one device, port and kind. */
export type Finding = {
  deviceId: string
  portNo: number
  kind: AlarmKindCode
  times: number
  firstMs: number
  lastMs: number
  healthyMs: number
  detail: Readonly<Record<string, unknown>>
}

/** Folds the many signals of a flapping device into one finding. */
export function foldFindings(judged: readonly { signal: ReportedSignal; verdict: Verdict }[]): Finding[] {
  const findings = new Map<string, Finding>()
  for (const { signal, verdict } of judged) {
    const { sickAtMs, healthyAtMs } = verdict
    if (sickAtMs === undefined && healthyAtMs === undefined) continue
    const { deviceId, portNo, kind } = signal
    const key = `${deviceId}.${portNo}.${kind}`
    const fresh = { deviceId, portNo, kind, times: 0, firstMs: Infinity, lastMs: 0, healthyMs: 0, detail: {} }
    const finding = findings.get(key) ?? fresh
    findings.set(key, finding)
    finding.healthyMs = Math.max(finding.healthyMs, healthyAtMs ?? 0)
    if (sickAtMs === undefined) continue
    finding.times += 1
    finding.firstMs = Math.min(finding.firstMs, sickAtMs)
    if (sickAtMs >= finding.lastMs) finding.detail = verdict.detail ?? {}
    finding.lastMs = Math.max(finding.lastMs, sickAtMs)
  }
  return [...findings.values()]
}

/** The time since which an alarm counts as healthy after this finding; undefined if it is not healthy. */
export function healthySince({ kind, lastMs, healthyMs }: Finding): number | undefined {
  const proof = proofOf(kind)
  if (proof === 'person') return undefined
  if (proof === 'quiet') return Math.max(lastMs, healthyMs)
  return healthyMs > lastMs ? healthyMs : undefined
}

/**
 * Checks the current state of a device before its alarm is closed after the hold-down. The result is unknown for an
 * offline device, except for an offline alarm.
 */
export function standing(
  kind: AlarmKindCode,
  { online, plug }: { online: boolean; plug: number | null },
): 'well' | 'sick' | 'unknown' {
  if (kind === alarmKind.code.offline) return online ? 'well' : 'sick'
  if (kind === alarmKind.code.portFault && plug !== null && faultPlugs.includes(plug)) return 'sick'
  return online ? 'well' : 'unknown'
}
