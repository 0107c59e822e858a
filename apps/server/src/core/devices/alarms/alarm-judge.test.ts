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
const heard = (more: Partial<ReportedSignal>): ReportedSignal => ({
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

describe('a device that is away', () => {
  it('is waited for until its time is up, counted from when it left last', () => {
    expect(judge(heard({}), rule, 3 * minuteMs)).toEqual({ keepUntilMs: 10 * minuteMs })
    expect(judge(heard({ offlineSinceMs: 6 * minuteMs }), rule, 10 * minuteMs)).toEqual({ keepUntilMs: 16 * minuteMs })
    expect(judge(heard({}), rule, 10 * minuteMs)).toEqual({ sickAtMs: 0 })
  })
  it('is no alarm when it is back, was stopped by people, or the rule is off', () => {
    expect(judge(heard({ online: true }), rule, 60 * minuteMs)).toEqual({})
    expect(judge(heard({ stopped: true }), rule, 60 * minuteMs)).toEqual({})
    expect(judge(heard({}), { ...rule, enabled: false }, 60 * minuteMs)).toEqual({})
  })
  it('ends alarms by coming back even where the rule is off', () => {
    expect(judge(heard({ sick: false, atMs: 5 }), { ...rule, enabled: false }, 10)).toEqual({ healthyAtMs: 5 })
  })
})

describe('findings', () => {
  const port = { kind: alarmKind.code.portFault, portNo: 1 } as const
  const signals = fc.array(fc.record({ sick: fc.boolean(), atMs: fc.integer({ min: 1, max: 1000 }) }), { minLength: 1 })
  const fold = (said: readonly { sick: boolean; atMs: number }[]) =>
    foldFindings(
      said.map((one) => {
        const signal = heard({ ...port, ...one })
        return { signal, verdict: judge(signal, rule, 2000) }
      }),
    )

  it('of one port are one, count what was sick, and do not depend on the order in which it was told', () => {
    fc.assert(
      fc.property(signals, (said) => {
        const [finding, ...others] = fold(said)
        expect(others).toEqual([])
        expect(finding?.times).toBe(said.filter(({ sick }) => sick).length)
        expect(fold(said.toReversed())).toEqual([finding])
      }),
    )
  })

  it('are healthy exactly when the last that was said of a lasting fault is that it is over', () => {
    fc.assert(
      fc.property(signals, (said) => {
        const [finding] = fold(said)
        const lastOf = (sick: boolean) =>
          Math.max(0, ...said.filter((one) => one.sick === sick).map(({ atMs }) => atMs))
        expect(finding && healthySince(finding) !== undefined).toBe(lastOf(false) > lastOf(true))
      }),
    )
  })

  it('of smoke never become healthy by themselves', () => {
    const [finding] = foldFindings([{ signal: heard({ kind: alarmKind.code.smoke }), verdict: { sickAtMs: 5 } }])
    expect(finding && healthySince(finding)).toBeUndefined()
  })
})

describe('how a device stands when the hold-down is over', () => {
  it('is asked of the device itself; one that is away cannot be asked', () => {
    const { offline, portFault, doorOpen } = alarmKind.code
    expect(standing(offline, { online: true, plug: null })).toBe('well')
    expect(standing(offline, { online: false, plug: null })).toBe('sick')
    expect(standing(portFault, { online: true, plug: 3 })).toBe('sick')
    expect(standing(portFault, { online: true, plug: 1 })).toBe('well')
    expect(standing(portFault, { online: false, plug: 1 })).toBe('unknown')
    expect(standing(doorOpen, { online: false, plug: null })).toBe('unknown')
  })
})
