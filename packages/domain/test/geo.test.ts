import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { centreOf, chinaBounds, inChina, type Point, pointInPolygon, roundDegrees } from '../src/geo.ts'

const at = (lng: number, lat: number): Point => ({ lng, lat })
const square = [at(0, 0), at(10, 0), at(10, 10), at(0, 10)]
// A horseshoe open to the east.
const horseshoe = [at(0, 0), at(10, 0), at(10, 3), at(3, 3), at(3, 7), at(10, 7), at(10, 10), at(0, 10)]

describe('pointInPolygon', () => {
  it.each([
    [5, 5, true],
    [0, 0, true],
    [10, 5, true],
    [5, 10, true],
    [10.001, 5, false],
    [-1, 0, false],
    [11, 10, false],
    [5, -0.001, false],
  ])('of a square: %d, %d is %s', (lng, lat, inside) => expect(pointInPolygon(at(lng, lat), square)).toBe(inside))

  it('excludes the points of a bay', () => {
    expect(pointInPolygon(at(6, 5), horseshoe)).toBe(false)
    expect(pointInPolygon(at(6, 1.5), horseshoe)).toBe(true)
    expect(pointInPolygon(at(1, 5), horseshoe)).toBe(true)
    expect(pointInPolygon(at(3, 5), horseshoe)).toBe(true)
  })

  it('counts a corner on the ray once', () => {
    const diamond = [at(5, 0), at(10, 5), at(5, 10), at(0, 5)]
    expect(pointInPolygon(at(-1, 5), diamond)).toBe(false)
    expect(pointInPolygon(at(11, 5), diamond)).toBe(false)
    expect(pointInPolygon(at(5, 5), diamond)).toBe(true)
  })

  it('excludes an area that a self-crossing polygon encloses twice', () => {
    const star = [at(0, 0), at(10, 0), at(10, 10), at(0, 10), at(0, 0), at(10, 0), at(10, 10), at(0, 10)]
    expect(pointInPolygon(at(5, 5), star)).toBe(false)
  })

  it('contains nothing without corners, and only the corner itself with one', () => {
    expect(pointInPolygon(at(0, 0), [])).toBe(false)
    expect(pointInPolygon(at(1, 1), [at(1, 1)])).toBe(true)
    expect(pointInPolygon(at(1, 2), [at(1, 1)])).toBe(false)
  })

  const whole = fc.integer({ min: -50, max: 50 })
  const point = fc.record({ lng: whole, lat: whole })
  const polygon = fc.array(point, { minLength: 3, maxLength: 12 })

  it('does not depend on the first corner, the direction or the position of the drawing', () => {
    fc.assert(
      fc.property(point, polygon, fc.nat(11), whole, (place, corners, start, shift) => {
        const inside = pointInPolygon(place, corners)
        const from = start % corners.length
        const moved = (one: Point) => at(one.lng + shift, one.lat - shift)
        expect(pointInPolygon(place, [...corners.slice(from), ...corners.slice(0, from)])).toBe(inside)
        expect(pointInPolygon(place, corners.toReversed())).toBe(inside)
        expect(pointInPolygon(moved(place), corners.map(moved))).toBe(inside)
      }),
    )
  })

  it('contains every corner, and nothing outside the bounding box', () => {
    fc.assert(
      fc.property(polygon, (corners) => {
        for (const corner of corners) expect(pointInPolygon(corner, corners)).toBe(true)
        const east = Math.max(...corners.map(({ lng }) => lng))
        const north = Math.max(...corners.map(({ lat }) => lat))
        for (const { lng, lat } of corners) {
          expect(pointInPolygon(at(east + 1, lat), corners)).toBe(false)
          expect(pointInPolygon(at(lng, north + 1), corners)).toBe(false)
        }
      }),
    )
  })

  it('agrees with the sides of the lines of a triangle', () => {
    const side = (a: Point, b: Point, p: Point) => (b.lng - a.lng) * (p.lat - a.lat) - (b.lat - a.lat) * (p.lng - a.lng)
    fc.assert(
      fc.property(point, point, point, point, (p, a, b, c) => {
        fc.pre(side(a, b, c) !== 0)
        const sides = [side(a, b, p), side(b, c, p), side(c, a, p)]
        const expected = sides.every((one) => one >= 0) || sides.every((one) => one <= 0)
        expect(pointInPolygon(p, [a, b, c])).toBe(expected)
      }),
    )
  })
})

describe('centreOf', () => {
  it('is the centroid by area, not the mean of the corners', () => {
    expect(centreOf(square)).toEqual(at(5, 5))
    expect(centreOf([at(0, 0), at(1, 0), at(2, 0), at(3, 0), at(10, 0), at(10, 10), at(0, 10)])).toEqual(at(5, 5))
  })
  it('of a line is the mean of its corners', () => expect(centreOf([at(0, 0), at(4, 0)])).toEqual(at(2, 0)))
  it('of a triangle lies inside it, also far from the origin', () => {
    const whole = fc.integer({ min: 0, max: 1000 })
    const corner = fc.record({ lng: whole, lat: whole }).map(({ lng, lat }) => at(116 + lng / 1000, 39 + lat / 1000))
    fc.assert(
      fc.property(corner, corner, corner, (a, b, c) => {
        const area = (b.lng - a.lng) * (c.lat - a.lat) - (b.lat - a.lat) * (c.lng - a.lng)
        fc.pre(Math.abs(area) > 0.001)
        expect(pointInPolygon(centreOf([a, b, c]), [a, b, c])).toBe(true)
      }),
    )
  })
})

describe('the bounds of the country', () => {
  it('contain its corners and no foreign capital', () => {
    expect(inChina(at(chinaBounds.west, chinaBounds.south))).toBe(true)
    expect(inChina(at(chinaBounds.east, chinaBounds.north))).toBe(true)
    expect(inChina(at(116.405285, 39.904989))).toBe(true)
    expect(inChina(at(139.69, 35.68))).toBe(false)
    expect(inChina(at(0, 0))).toBe(false)
    expect(inChina(at(39.904989, 116.405285))).toBe(false)
    expect(inChina(at(NaN, 30))).toBe(false)
  })
  it('have six decimals', () => {
    expect(roundDegrees(120.123456789)).toBe(120.123457)
    expect(roundDegrees(120.123456789, 3)).toBe(120.123)
  })
})
