import { describe, expect, it } from 'vitest'
import { chipNo, couldTravel } from '../src/stored-card.ts'

describe('a card', () => {
  it.each([
    ['dd058d7a', 'dd058d7a'],
    ['00000000DD058D7A', 'dd058d7a'],
    ['0000', '0'],
    ['Visitor 7', 'Visitor 7'],
  ])('read as %s has the chip number %s', (read, expected) => {
    expect(chipNo(read)).toBe(expected)
  })

  const hangzhou = { lng: 120.15, lat: 30.28 }
  const shanghai = { lng: 121.47, lat: 31.23 }
  const minutes = (count: number) => count * 60_000

  it.each([
    ['a kilometre away at once', { lng: 120.16, lat: 30.28 }, 0, true],
    ['in another city within half an hour', shanghai, minutes(30), false],
    ['in another city after three hours', shanghai, minutes(180), true],
    ['in another city before', shanghai, -minutes(180), false],
  ])('can or cannot have travelled: %s', (_, there, afterMs, can) => {
    expect(couldTravel({ ...hangzhou, atMs: 0 }, { ...there, atMs: afterMs })).toBe(can)
  })
})
