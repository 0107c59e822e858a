import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  boxAround,
  fit,
  moved,
  placeLabels,
  type Projection,
  scaleBar,
  scaleOf,
  toGround,
  toScreen,
  zoomed,
} from './projection.ts'

const size = { width: 800, height: 600 }
const box = { west: 118, east: 123, south: 27, north: 31 }
const whole: Projection = { size, box, view: fit(size, box, box) }
const degree = fc.double({ min: 0, max: 1, noNaN: true })
const view = fc.tuple(degree, degree, fc.double({ min: 1, max: 50, noNaN: true })).map(([a, b, zoom]) => ({
  lng: 118 + a * 5,
  lat: 27 + b * 4,
  zoom,
}))
const spot = fc.record({ x: fc.integer({ min: 0, max: 800 }), y: fc.integer({ min: 0, max: 600 }) })

describe('a view', () => {
  it('of the whole shows every corner', () => {
    for (const corner of [
      { lng: box.west, lat: box.north },
      { lng: box.east, lat: box.south },
    ]) {
      const { x, y } = toScreen(whole, corner)
      expect(x >= 0 && x <= size.width && y >= 0 && y <= size.height).toBe(true)
    }
    expect(whole.view).toEqual({ lng: 120.5, lat: 29, zoom: 1 })
  })

  it('has the north above and the east to the right', () => {
    const [here, there] = [toScreen(whole, { lng: 120, lat: 28 }), toScreen(whole, { lng: 121, lat: 29 })]
    expect(there.x).toBeGreaterThan(here.x)
    expect(there.y).toBeLessThan(here.y)
  })

  it('converts from the screen to the ground and back', () => {
    fc.assert(
      fc.property(view, spot, (from, place) => {
        const projection = { ...whole, view: from }
        const back = toScreen(projection, toGround(projection, place))
        expect(back.x).toBeCloseTo(place.x, 5)
        expect(back.y).toBeCloseTo(place.y, 5)
      }),
    )
  })

  it('of a part is zoomed in, and never further out than the whole', () => {
    expect(fit(size, box, { west: 120, east: 120.5, south: 30, north: 30.4 }).zoom).toBeGreaterThan(8)
    expect(fit(size, box, { west: 100, east: 140, south: 10, north: 50 }).zoom).toBe(1)
  })
})

describe('moving and zooming', () => {
  it('keep the point under the pointer', () => {
    fc.assert(
      fc.property(view, spot, fc.double({ min: 1.1, max: 2, noNaN: true }), (from, place, factor) => {
        const projection = { ...whole, view: from }
        const next = zoomed(projection, factor, place)
        // Except where the edge of the map has stopped it.
        fc.pre(next.lng > box.west && next.lng < box.east && next.lat > box.south && next.lat < box.north)
        const now = toScreen({ ...whole, view: next }, toGround(projection, place))
        expect(now.x).toBeCloseTo(place.x, 3)
        expect(now.y).toBeCloseTo(place.y, 3)
      }),
    )
  })

  it('stop at the edge of the map, at the whole map, and at street level', () => {
    expect(moved(whole, 100_000, 0).lng).toBe(box.west)
    expect(moved(whole, 0, 100_000).lat).toBe(box.north)
    expect(zoomed(whole, 0.1, { x: 0, y: 0 }).zoom).toBe(1)
    const nearest = zoomed(whole, 1e9, { x: 400, y: 300 })
    expect(scaleOf({ ...whole, view: nearest })).toBeCloseTo(20_000, 0)
  })
})

it('the scale bar is a round distance and fits', () => {
  expect(scaleBar(whole, 100)).toEqual({ widthPx: expect.any(Number) as number, text: '50 公里' })
  fc.assert(
    fc.property(view, (from) => {
      expect(scaleBar({ ...whole, view: from }, 100).widthPx).toBeLessThanOrEqual(100)
    }),
  )
  expect(scaleBar({ ...whole, view: { ...whole.view, zoom: 150 } }, 100).text).toBe('500 米')
})

it('labels neither overlap nor leave the map', () => {
  const label = (key: string, x: number, y: number) => ({ key, text: '杭州市', x, y })
  const placed = placeLabels(
    [label('a', 100, 100), label('b', 110, 105), label('c', 100, 120), label('d', 5, 300), label('e', 790, 300)],
    size,
  )
  expect(placed.map(({ key }) => key)).toEqual(['a', 'c'])
})

it('the surroundings of a point stay in the country', () => {
  expect(boxAround({ lng: 120, lat: 30 })).toEqual({ west: 119.4, east: 120.6, south: 29.5, north: 30.5 })
  expect(boxAround({ lng: 73, lat: 54 })).toMatchObject({ west: 73, north: 54 })
})
