import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeRing, type EncodedMap, provinceFiles, readCentres, readMap } from '../src/map-file.ts'

const zigzag = (step: number) => String.fromCharCode(((step << 1) ^ (step >> 31)) + 64)

/** The inverse of decodeRing, as the maps were encoded. */
function encodeRing(points: [number, number][], [startX, startY]: [number, number]): string {
  let [x, y] = [startX, startY]
  return points
    .map(([nextX, nextY]) => {
      const text = zigzag(nextX - x) + zigzag(nextY - y)
      ;[x, y] = [nextX, nextY]
      return text
    })
    .join('')
}

describe('decodeRing', () => {
  it('reads steps of 1/1024 degree from the offset on', () => {
    // '@' is a step of 0, 'A' of -1, 'B' of 1.
    expect(decodeRing('@@B@@A', [1024, 2048])).toEqual([
      [1, 2],
      [1025 / 1024, 2],
      [1025 / 1024, 2047 / 1024],
    ])
  })

  it('reads another scale', () => expect(decodeRing('@@', [100, 200], 100)).toEqual([[1, 2]]))

  it('reads back every encoded ring', () => {
    const whole = fc.integer({ min: -9000, max: 9000 })
    const points = fc.array(fc.tuple(whole, whole), { maxLength: 40 })
    fc.assert(
      fc.property(points, fc.tuple(whole, whole), (ring, offset) => {
        expect(decodeRing(encodeRing(ring, offset), offset, 1)).toEqual(ring)
      }),
    )
  })
})

const square = (x: number, y: number): [number, number][] => [
  [x, y],
  [x + 1024, y],
  [x + 1024, y + 1024],
  [x, y + 1024],
  [x, y],
]
const plain = (x: number, y: number): [number, number][] => square(x, y).map(([a, b]) => [a / 1024, b / 1024])
const offset: [number, number] = [112640, 20480]
const [x, y] = offset
const feature = (id: string | undefined, name: string, cp?: [number, number]): EncodedMap['features'][number] => ({
  ...(id === undefined ? {} : { id }),
  properties: { name, ...(cp ? { cp } : {}) },
  geometry: { type: 'Polygon', coordinates: [encodeRing(square(x, y), offset)], encodeOffsets: [offset] },
})

describe('readMap', () => {
  it('returns plain GeoJSON with every shape of a multi-polygon', () => {
    const island = encodeRing(square(x + 4096, y), offset)
    const map = readMap(
      {
        features: [
          feature('330100', '杭州市', [120.15, 30.28]),
          {
            id: '330900',
            properties: { name: '舟山市', cp: [122.1, 30] },
            geometry: {
              type: 'MultiPolygon',
              coordinates: [[encodeRing(square(x, y), offset)], [island]],
              encodeOffsets: [[offset], [offset]],
            },
          },
        ],
      },
      '330000',
    )
    expect(map.features[0]).toEqual({
      type: 'Feature',
      id: '330100',
      properties: { adcode: '330100', name: '杭州市', centre: [120.15, 30.28] },
      geometry: { type: 'MultiPolygon', coordinates: [[plain(x, y)]] },
    })
    expect(map.features[1]?.geometry.coordinates).toEqual([[plain(x, y)], [plain(x + 4096, y)]])
  })

  it('rounds to three decimals and merges equal points', () => {
    const ring = encodeRing(
      [
        [x, y],
        [x + 1, y],
        [x + 1, y],
        [x + 1024, y + 1024],
        [x, y],
      ],
      offset,
    )
    const shape: EncodedMap['features'][number] = {
      id: '330100',
      properties: { name: '杭州市' },
      geometry: { type: 'Polygon', coordinates: [ring], encodeOffsets: [offset] },
    }
    expect(readMap({ features: [shape] }, '330000').features[0]?.geometry.coordinates).toEqual([
      [
        [
          [110, 20],
          [110.001, 20],
          [111, 21],
          [110, 20],
        ],
      ],
    ])
  })

  it('accepts plain rings, and drops empty ones', () => {
    const shape: EncodedMap['features'][number] = {
      id: '540100',
      properties: { name: '拉萨市', cp: [91, 29] },
      geometry: { type: 'MultiPolygon', coordinates: [[plain(x, y)], [[]]], encodeOffsets: [[offset]] },
    }
    expect(readMap({ features: [shape] }, '540000').features[0]?.geometry.coordinates).toEqual([[plain(x, y)]])
  })

  it('assigns current codes, and joins merged regions', () => {
    const codes = (features: EncodedMap['features'], whole: string) =>
      readMap({ features }, whole).features.map(({ properties, geometry }) => [
        properties.adcode,
        properties.name,
        geometry.coordinates.length,
      ])
    expect(
      codes([feature('370100', '济南市', [117, 36.7]), feature('371200', '莱芜市', [117.7, 36.2])], '370000'),
    ).toEqual([['370100', '济南市', 2]])
    expect(codes([feature(undefined, '崇明区')], '310000')).toEqual([['310151', '崇明区', 1]])
    expect(codes([feature('652200', '哈密市')], '650000')).toEqual([['650500', '哈密市', 1]])
    expect(codes([feature(undefined, '台北市'), feature(undefined, '高雄市')], '710000')).toEqual([
      ['710000', '台北市', 1],
      ['710000', '高雄市', 1],
    ])
  })

  it('calculates the centre of a shape without one', () => {
    const features = [feature('659009', '昆玉市'), feature('650100', '乌鲁木齐市', [87.6, 43.8])]
    expect(readMap({ features }, '650000').features[0]?.properties.centre).toEqual([110.5, 20.5])
    expect([...readCentres({ features }, '650000')]).toEqual([
      ['659009', [110.5, 20.5]],
      ['650100', [87.6, 43.8]],
    ])
  })
})

it('has a file for each of the 34 provinces', () => {
  expect(Object.keys(provinceFiles)).toHaveLength(34)
  expect(new Set(Object.values(provinceFiles)).size).toBe(34)
})
