import { centreOf, roundDegrees } from './geo.ts'

/**
 * Decodes maps of echarts 4 into plain GeoJSON. A ring is encoded as a text: each character is a step from the previous
 * point in 1/1024 degree, zigzag-coded (0, -1, 1, -2 …) plus 64; the first point is in encodeOffsets.
 */
type Pair = [lng: number, lat: number]
type Ring = Pair[]
type EncodedRing = string | Ring
export type EncodedMap = {
  UTF8Scale?: number
  features: {
    id?: string
    properties: { name: string; cp?: Pair }
    geometry:
      | { type: 'Polygon'; coordinates: EncodedRing[]; encodeOffsets?: Pair[] }
      | { type: 'MultiPolygon'; coordinates: EncodedRing[][]; encodeOffsets?: Pair[][] }
  }[]
}

export type MapFeature = {
  type: 'Feature'
  id: string
  properties: { adcode: string; name: string; centre: Pair }
  geometry: { type: 'MultiPolygon'; coordinates: Ring[][] }
}
/** A map of the country with its provinces, or of a province with its cities. */
export type MapFile = {
  type: 'FeatureCollection'
  /** The number under which the authority approved the map for publication. */
  approval?: string
  features: MapFeature[]
}

/** The file of each province in echarts 4. */
export const provinceFiles: Record<string, string> = {
  110000: 'beijing',
  120000: 'tianjin',
  130000: 'hebei',
  140000: 'shanxi',
  150000: 'neimenggu',
  210000: 'liaoning',
  220000: 'jilin',
  230000: 'heilongjiang',
  310000: 'shanghai',
  320000: 'jiangsu',
  330000: 'zhejiang',
  340000: 'anhui',
  350000: 'fujian',
  360000: 'jiangxi',
  370000: 'shandong',
  410000: 'henan',
  420000: 'hubei',
  430000: 'hunan',
  440000: 'guangdong',
  450000: 'guangxi',
  460000: 'hainan',
  500000: 'chongqing',
  510000: 'sichuan',
  520000: 'guizhou',
  530000: 'yunnan',
  540000: 'xizang',
  610000: 'shanxi1',
  620000: 'gansu',
  630000: 'qinghai',
  640000: 'ningxia',
  650000: 'xinjiang',
  710000: 'taiwan',
  810000: 'xianggang',
  820000: 'aomen',
}

/** Regions whose code and name changed after the maps were drawn, by old code; regions without a code, by name. */
const corrections: Record<string, { adcode: string; name: string }> = {
  371200: { adcode: '370100', name: '济南市' }, // Laiwu was merged into Jinan
  500228: { adcode: '500155', name: '梁平区' },
  500232: { adcode: '500156', name: '武隆区' },
  542400: { adcode: '540600', name: '那曲市' },
  652200: { adcode: '650500', name: '哈密市' },
  山南市: { adcode: '540500', name: '山南市' },
  崇明区: { adcode: '310151', name: '崇明区' },
}

const unzigzag = (code: number) => (code >> 1) ^ -(code & 1)

export function decodeRing(text: string, [startLng, startLat]: Pair, scale = 1024): Ring {
  const ring: Ring = []
  let [lng, lat] = [startLng, startLat]
  for (let place = 0; place + 1 < text.length; place += 2) {
    lng += unzigzag(text.charCodeAt(place) - 64)
    lat += unzigzag(text.charCodeAt(place + 1) - 64)
    ring.push([lng / scale, lat / scale])
  }
  return ring
}

/** Three decimals are about a hundred metres, finer than the drawing; consecutive equal points are merged. */
const coarse = (ring: Ring): Ring =>
  ring
    .map(([lng, lat]): Pair => [roundDegrees(lng, 3), roundDegrees(lat, 3)])
    .filter(([lng, lat], place, all) => place === 0 || lng !== all[place - 1]?.[0] || lat !== all[place - 1]?.[1])

function polygonsOf({ geometry }: EncodedMap['features'][number], scale: number | undefined): Ring[][] {
  const [polygons, offsets] =
    geometry.type === 'Polygon'
      ? [[geometry.coordinates], [geometry.encodeOffsets ?? []]]
      : [geometry.coordinates, geometry.encodeOffsets ?? []]
  return polygons
    .map((rings, one) =>
      rings
        // One file is flagged as encoded but contains plain rings, so each ring is checked.
        .map((ring, two) => (typeof ring === 'string' ? decodeRing(ring, offsets[one]?.[two] ?? [0, 0], scale) : ring))
        .map(coarse)
        .filter((ring) => ring.length > 2),
    )
    .filter((rings) => rings.length > 0)
}

type Part = { adcode: string; name: string; centre?: Pair; features: EncodedMap['features'] }

/** Parts by current codes. A shape without its own code, as in Taiwan, gets the code of the whole map. */
function partsOf(map: EncodedMap, whole: string): Part[] {
  const parts = new Map<string, Part>()
  for (const feature of map.features) {
    const { name: originalName, cp } = feature.properties
    const { adcode, name } = corrections[feature.id ?? originalName] ?? {
      adcode: feature.id ?? whole,
      name: originalName,
    }
    const existing = parts.get(adcode + name)
    const centre = existing?.centre ?? cp
    const features = [...(existing?.features ?? []), feature]
    parts.set(adcode + name, { adcode, name, features, ...(centre ? { centre } : {}) })
  }
  return [...parts.values()]
}

/** The centre given by the map, otherwise the middle of the ring with the most points. */
function centreOfPart({ centre, features }: Part, scale: number | undefined): Pair {
  if (centre) return centre
  const rings = features.flatMap((feature) => polygonsOf(feature, scale)).map(([outer = []]) => outer)
  const finest = rings.toSorted((a, b) => b.length - a.length)[0] ?? []
  const { lng, lat } = centreOf(finest.map(([eachLng, eachLat]) => ({ lng: eachLng, lat: eachLat })))
  return [roundDegrees(lng), roundDegrees(lat)]
}

export function readMap(map: EncodedMap, whole: string): MapFile {
  return {
    type: 'FeatureCollection',
    features: partsOf(map, whole).map((part) => ({
      type: 'Feature',
      id: part.adcode,
      properties: { adcode: part.adcode, name: part.name, centre: centreOfPart(part, map.UTF8Scale) },
      geometry: {
        type: 'MultiPolygon',
        coordinates: part.features.flatMap((feature) => polygonsOf(feature, map.UTF8Scale)),
      },
    })),
  }
}

/** Reads only the centres, by code, without decoding the shapes. */
export const readCentres = (map: EncodedMap, whole: string): Map<string, Pair> =>
  new Map(partsOf(map, whole).map((part) => [part.adcode, centreOfPart(part, map.UTF8Scale)]))
