import type { AlarmRule } from '@wattdeck/contract/product/alarm-center.ts'
import { type AlarmKindCode, alarmKind, proofOf } from '@wattdeck/contract/product/alarm-codes.ts'
import { faultPlugs } from './alarm-signals.ts'

/** A signal with what is known of its device at the moment it is looked at. */
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
  /** How long the orders at this port lasted that ended within the hour. */
  durationsS: readonly number[]
}

/** What follows from a signal. It is forgotten unless it is to be kept. */
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
  // That a device is well again ends alarms, whatever the rule says by now.
  if (!signal.sick) return { healthyAtMs: atMs }
  if (rule === undefined || !rule.enabled) return {}
  if (kind === alarmKind.code.offline) return judgeOffline(signal, rule, nowMs)
  if (kind === alarmKind.code.shortOrders) return judgeShortOrders(signal, rule, nowMs)
  const { temperatureC } = detail
  if (typeof temperatureC === 'number' && temperatureC < (rule.threshold ?? 0)) return {}
  return { sickAtMs: atMs, detail }
}

/** It may have come back, and gone again: what counts is since when it is away now. */
function judgeOffline({ online, stopped, offlineSinceMs }: ReportedSignal, rule: AlarmRule, nowMs: number): Verdict {
  if (online || stopped) return {}
  const dueMs = offlineSinceMs + (rule.threshold ?? 0) * minuteMs
  return nowMs < dueMs ? { keepUntilMs: dueMs } : { sickAtMs: offlineSinceMs }
}

/** Each is kept for an hour, to be counted with those that follow. */
function judgeShortOrders({ atMs, durationsS }: ReportedSignal, rule: AlarmRule, nowMs: number): Verdict {
  if (nowMs >= atMs + hourMs) return {}
  const orders = durationsS.filter((seconds) => seconds < (rule.minutes ?? 0) * 60).length
  const kept = { keepUntilMs: atMs + hourMs }
  return orders < (rule.threshold ?? Infinity) ? kept : { ...kept, sickAtMs: atMs, detail: { orders } }
}

/** What a batch of signals says of one device, port and kind. */
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

/** Hundreds of signals of a device that flaps are one finding. */
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

/** Since when an alarm counts as healthy after this finding; undefined while it does not. */
export function healthySince({ kind, lastMs, healthyMs }: Finding): number | undefined {
  const proof = proofOf(kind)
  if (proof === 'person') return undefined
  if (proof === 'quiet') return Math.max(lastMs, healthyMs)
  return healthyMs > lastMs ? healthyMs : undefined
}

/**
 * What the device, as it stands now, says of an alarm that has been healthy for long enough. One that is away cannot be
 * asked, unless being away is the matter.
 */
export function standing(
  kind: AlarmKindCode,
  { online, plug }: { online: boolean; plug: number | null },
): 'well' | 'sick' | 'unknown' {
  if (kind === alarmKind.code.offline) return online ? 'well' : 'sick'
  if (kind === alarmKind.code.portFault && plug !== null && faultPlugs.includes(plug)) return 'sick'
  return online ? 'well' : 'unknown'
}
