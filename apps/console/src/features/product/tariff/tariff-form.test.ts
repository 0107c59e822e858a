import { TariffSheet } from '@wattdeck/contract/product/tariff-sheet.ts'
import { describe, expect, it } from 'vitest'
import { dropSegment, emptyForm, formOf, moveEdge, type SegmentRow, sheetFrom, splitSegment } from './tariff-form.ts'

const row = (fromMin: number, toMin: number): SegmentRow => ({
  fromMin,
  toMin,
  period: 'flat',
  electricity: '0.6',
  service: '0.4',
})
const spans = (rows: readonly SegmentRow[]) => rows.map(({ fromMin, toMin }) => [fromMin, toMin])

describe('the segments of a day', () => {
  it('are split on half hours, down to half an hour', () => {
    expect(spans(splitSegment([row(0, 1440)], 0))).toEqual([
      [0, 720],
      [720, 1440],
    ])
    expect(spans(splitSegment([row(0, 90), row(90, 1440)], 0))).toEqual([
      [0, 60],
      [60, 90],
      [90, 1440],
    ])
    expect(splitSegment([row(0, 30), row(30, 1440)], 0)).toHaveLength(2)
  })
  it('share an edge without a gap, wherever it is dragged', () => {
    const day = [row(0, 480), row(480, 1320), row(1320, 1440)]
    for (const minute of [-100, 0, 31, 700, 1319, 5000])
      for (const at of [0, 1, 2]) {
        const moved = moveEdge(day, at, minute)
        expect(moved.every((one, place) => one.fromMin === (moved[place - 1]?.toMin ?? 0))).toBe(true)
        expect(moved.at(-1)?.toMin).toBe(1440)
        expect(moved.every((one) => one.toMin - one.fromMin >= 30)).toBe(true)
      }
    expect(spans(moveEdge(day, 0, 611))[0]).toEqual([0, 600])
  })
  it('pass their time to a neighbour when removed, and the last one stays', () => {
    const day = [row(0, 480), row(480, 1320), row(1320, 1440)]
    expect(spans(dropSegment(day, 0))).toEqual([
      [0, 1320],
      [1320, 1440],
    ])
    expect(spans(dropSegment(day, 2))).toEqual([
      [0, 480],
      [480, 1440],
    ])
    expect(dropSegment([row(0, 1440)], 0)).toHaveLength(1)
  })
})

describe('the form', () => {
  it('submits only the fields of its billing type, and keeps the others', () => {
    const priced = { electricity: '0.6', segments: [row(0, 1440)], tiers: [{ uptoMin: null, price: '2' }] }
    const form = { ...emptyForm, ...priced, bands: [{ maxWatt: 200, price: '0.25' }] }
    for (const billingType of [0, 1, 2] as const) {
      const sheet = sheetFrom({ ...form, billingType })
      expect(TariffSheet.safeParse(sheet).success).toBe(true)
      expect(sheetFrom(formOf(sheet))).toEqual(sheet)
    }
    expect(sheetFrom({ ...form, billingType: 1 })).not.toHaveProperty('segments')
  })
})
