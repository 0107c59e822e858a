import type { AlarmRule } from '@wattdeck/contract/product/alarm-center.ts'
import { alarmKind } from '@wattdeck/contract/product/alarm-codes.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldFindings, healthySince, type ReportedSignal, judge, standing } from './alarm-judge.ts'

const rule: AlarmRule = {
  kind: alarmKind.code.offline,
  enabled: true,
  threshold: 10,
  minutes: null,
  holdDownMin: 5,
  severity: 2,
  recovers: false,
  opensTicket: false,
  notifyTypes: [],
  smsTypes: [],
  own: false,
}
const minuteMs = 60_000
const signalOf = (more: Partial<ReportedSignal>): ReportedSignal => ({
  id: '1',
  deviceId: '1',
  organiseId: '2',
  portNo: 0,
  kind: alarmKind.code.offline,
  sick: true,
  atMs: 0,
  detail: {},
  online: false,
  stopped: false,
  offlineSinceMs: 0,
  durationsS: [],
  ...more,
})

describe('an offline device', () => {
  it('raises an alarm after the threshold, counted from its last disconnection', () => {
    expect(judge(signalOf({}), rule, 3 * minuteMs)).toEqual({ keepUntilMs: 10 * minuteMs })
    expect(judge(signalOf({ offlineSinceMs: 6 * minuteMs }), rule, 10 * minuteMs)).toEqual({
      keepUntilMs: 16 * minuteMs,
    })
    expect(judge(signalOf({}), rule, 10 * minuteMs)).toEqual({ sickAtMs: 0 })
  })
  it('raises no alarm when it is back online, was stopped by staff, or the rule is disabled', () => {
    expect(judge(signalOf({ online: true }), rule, 60 * minuteMs)).toEqual({})
    expect(judge(signalOf({ stopped: true }), rule, 60 * minuteMs)).toEqual({})
    expect(judge(signalOf({}), { ...rule, enabled: false }, 60 * minuteMs)).toEqual({})
  })
  it('ends alarms by coming back, also when the rule is disabled', () => {
    expect(judge(signalOf({ sick: false, atMs: 5 }), { ...rule, enabled: false }, 10)).toEqual({ healthyAtMs: 5 })
  })
})

describe('findings', () => {
  const port = { kind: alarmKind.code.portFault, portNo: 1 } as const
  const signals = fc.array(fc.record({ sick: fc.boolean(), atMs: fc.integer({ min: 1, max: 1000 }) }), { minLength: 1 })
  const fold = (reports: readonly { sick: boolean; atMs: number }[]) =>
    foldFindings(
      reports.map((one) => {
        const signal = signalOf({ ...port, ...one })
        return { signal, verdict: judge(signal, rule, 2000) }
      }),
    )

  it('of one port are one, count sick signals, and do not depend on the order of signals', () => {
    fc.assert(
      fc.property(signals, (reports) => {
        const [finding, ...others] = fold(reports)
        expect(others).toEqual([])
        expect(finding?.times).toBe(reports.filter(({ sick }) => sick).length)
        expect(fold(reports.toReversed())).toEqual([finding])
      }),
    )
  })

  it('are healthy exactly when the last signal of a lasting fault is healthy', () => {
    fc.assert(
      fc.property(signals, (reports) => {
        const [finding] = fold(reports)
        const lastOf = (sick: boolean) =>
          Math.max(0, ...reports.filter((one) => one.sick === sick).map(({ atMs }) => atMs))
        expect(finding && healthySince(finding) !== undefined).toBe(lastOf(false) > lastOf(true))
      }),
    )
  })

  it('of smoke never become healthy by themselves', () => {
    const [finding] = foldFindings([{ signal: signalOf({ kind: alarmKind.code.smoke }), verdict: { sickAtMs: 5 } }])
    expect(finding && healthySince(finding)).toBeUndefined()
  })
})

describe('the health of a device after the hold-down', () => {
  it('comes from the state of the device, and is unknown for an offline device', () => {
    const { offline, portFault, doorOpen } = alarmKind.code
    expect(standing(offline, { online: true, plug: null })).toBe('well')
    expect(standing(offline, { online: false, plug: null })).toBe('sick')
    expect(standing(portFault, { online: true, plug: 3 })).toBe('sick')
    expect(standing(portFault, { online: true, plug: 1 })).toBe('well')
    expect(standing(portFault, { online: false, plug: 1 })).toBe('unknown')
    expect(standing(doorOpen, { online: false, plug: null })).toBe('unknown')
  })
})
