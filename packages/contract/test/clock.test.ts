import { describe, expect, it } from 'vitest'
import { isClockOff, judgeClock, measureClock } from '../src/events/clock.ts'

const ahead = (differenceS: number, uncertainS = 0) => ({ differenceS, uncertainS })

describe('the clock of a process', () => {
  it.each([
    ['right', 'both agree', ahead(0.2), ahead(-1)],
    ['right', 'nothing is known', undefined, undefined],
    ['right', 'the only one known agrees', ahead(1), undefined],
    ['right', 'NATS alone differs', ahead(600), ahead(1)],
    ['right', 'the database alone differs', ahead(0), ahead(-31_536_000)],
    ['doubtful', 'the only one known differs', undefined, ahead(600)],
    ['doubtful', 'all three differ', ahead(600), ahead(-600)],
    ['wrong', 'it is ahead of two that agree', ahead(600), ahead(599)],
    ['wrong', 'it is behind two that agree', ahead(-600), ahead(-602)],
  ])('is %s when %s', (verdict, _, nats, database) => {
    expect(judgeClock(nats, database)).toBe(verdict)
  })

  it('may differ by five seconds plus the duration of the request', () => {
    expect([ahead(4.9), ahead(-4.9), ahead(7, 3)].map(isClockOff)).toEqual([false, false, false])
    expect([ahead(5.1), ahead(-5.1), ahead(9, 3)].map(isClockOff)).toEqual([true, true, true])
  })

  it('is compared with the middle of the request', async () => {
    const { differenceS, uncertainS } = await measureClock(() => Promise.resolve(Date.now() - 600_000))
    expect(Math.abs(differenceS - 600)).toBeLessThanOrEqual(uncertainS + 0.001)
  })
})
