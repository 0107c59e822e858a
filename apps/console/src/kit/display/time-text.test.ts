import { describe, expect, it } from 'vitest'
import { agoText, shanghaiTime } from './time-text.ts'

const now = new Date('2026-11-15T04:00:00Z')

it('reads a time on the wire as Shanghai time', () => {
  expect(shanghaiTime('2026-11-15 12:00:00').toISOString()).toBe('2026-11-15T04:00:00.000Z')
})

describe('how long ago', () => {
  it.each([
    ['2026-11-15 12:00:30', '刚刚'],
    ['2026-11-15 11:59:01', '刚刚'],
    ['2026-11-15 11:59:00', '1 分钟前'],
    ['2026-11-15 11:00:01', '59 分钟前'],
    ['2026-11-15 11:00:00', '1 小时前'],
    ['2026-11-14 12:00:00', '1 天前'],
    ['2026-11-08 12:00:01', '6 天前'],
    ['2026-11-08 12:00:00', '2026-11-08'],
  ])('%s is %s', (time, text) => expect(agoText(time, now)).toBe(text))
})
