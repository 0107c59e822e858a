import { describe, expect, it } from 'vitest'
import { boxOf, isProvince, joinBoxes, provinceOf, readMapFile, shapeAt, shapeOf, shapesOf } from './map-file.ts'

const ring = (west: number, south: number, side: number): [number, number][] => [
  [west, south],
  [west + side, south],
  [west + side, south + side],
  [west, south + side],
  [west, south],
]
const mapJson = {
  approval: 'GS(2026)0001号',
  features: [
    {
      properties: { adcode: 330100, name: '杭州市' },
      geometry: { type: 'Polygon', coordinates: [ring(119, 29, 2), ring(119.5, 29.5, 0.5)] },
    },
    {
      properties: { adcode: '330900', name: '舟山市', center: [122.1, 30] },
      geometry: { type: 'MultiPolygon', coordinates: [[ring(122, 30, 1)], [ring(123.5, 30, 0.2)]] },
    },
    { properties: { adcode: '100000_JD', name: '' }, geometry: null },
  ],
}
const shapes = shapesOf(readMapFile(mapJson))

describe('a map file', () => {
  it('may have codes as numbers, plain polygons, no centre and empty shapes', () => {
    const map = readMapFile(mapJson)
    expect(map.approval).toBe('GS(2026)0001号')
    expect(map.features.map(({ id, properties }) => [id, properties.name, properties.centre])).toEqual([
      ['330100', '杭州市', [120, 30]],
      ['330900', '舟山市', [122.1, 30]],
    ])
  })

  it('without a FeatureCollection is rejected', () => {
    expect(() => readMapFile({})).toThrow('FeatureCollection')
    expect(() => readMapFile({ features: 'x' })).toThrow('FeatureCollection')
  })
})

describe('shapes', () => {
  it('are drawn ring by ring', () => {
    expect(shapes[1]?.d).toBe('M122 30L123 30L123 31L122 31L122 30ZM123.5 30L123.7 30L123.7 30.2L123.5 30.2L123.5 30Z')
  })

  it('contain points in each part, but not in a hole', () => {
    const at = (lng: number, lat: number) => shapeAt(shapes, { lng, lat })?.name
    expect(at(119.2, 29.2)).toBe('杭州市')
    expect(at(119.7, 29.7)).toBeUndefined()
    expect(at(123.6, 30.1)).toBe('舟山市')
    expect(at(123.2, 30.1)).toBeUndefined()
  })

  it('represent the districts of a city', () => {
    expect(shapeOf(shapes, '330900')?.name).toBe('舟山市')
    expect(shapeOf(shapes, '330106')?.name).toBe('杭州市')
    expect(shapeOf(shapes, '310101')).toBeUndefined()
  })

  it('have a bounding box each, and one together', () => {
    const box = boxOf(readMapFile(mapJson).features[0]?.geometry.coordinates ?? [])
    expect(box).toEqual({ west: 119, south: 29, east: 121, north: 31 })
    expect(joinBoxes(shapes.map((shape) => shape.box))).toEqual({ west: 119, south: 29, east: 123.7, north: 31 })
  })
})

it('recognises a province by its code', () => {
  expect(provinceOf('330106')).toBe('330000')
  expect(['330000', '710000', '330100', '100000', '100000_JD', ''].map(isProvince)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ])
})
