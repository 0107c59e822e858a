import { centreOf, type Point, pointInPolygon } from '@wattdeck/domain/geo.ts'
import type { MapFeature, MapFile } from '@wattdeck/domain/map-file.ts'

/** Parsing of map files, without rendering. */
export type Box = { west: number; south: number; east: number; north: number }
export type Shape = { adcode: string; name: string; centre: Point; box: Box; d: string; feature: MapFeature }

type Coordinates = MapFeature['geometry']['coordinates']
type InputFeature = {
  properties?: { adcode?: string | number; name?: string; centre?: [number, number]; center?: [number, number] }
  geometry?: { type: 'Polygon'; coordinates: Coordinates[number] } | { type: 'MultiPolygon'; coordinates: Coordinates }
}

/** Reads our own files, and those that replace them: any GeoJSON whose shapes have a code and a name. */
export function readMapFile(json: unknown): MapFile {
  const { features, approval } = json as { features?: InputFeature[]; approval?: unknown }
  if (!Array.isArray(features)) throw new Error('a map file must hold a FeatureCollection')
  return {
    type: 'FeatureCollection',
    ...(typeof approval === 'string' ? { approval } : {}),
    features: features.flatMap(({ properties, geometry }): MapFeature[] => {
      if (!geometry) return []
      const coordinates = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
      const adcode = String(properties?.adcode ?? '')
      const centre = properties?.centre ?? properties?.center ?? middleOf(coordinates)
      return [
        {
          type: 'Feature',
          id: adcode,
          properties: { adcode, name: properties?.name ?? '', centre },
          geometry: { type: 'MultiPolygon', coordinates },
        },
      ]
    }),
  }
}

const pointsOf = (ring: readonly [number, number][]): Point[] => ring.map(([lng, lat]) => ({ lng, lat }))

function middleOf(coordinates: Coordinates): [number, number] {
  const { lng, lat } = centreOf(pointsOf(coordinates[0]?.[0] ?? []))
  return [lng, lat]
}

export function boxOf(coordinates: Coordinates): Box {
  const box = { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity }
  for (const [lng, lat] of coordinates.flat(2)) {
    box.west = Math.min(box.west, lng)
    box.east = Math.max(box.east, lng)
    box.south = Math.min(box.south, lat)
    box.north = Math.max(box.north, lat)
  }
  return box
}

export const joinBoxes = (boxes: readonly Box[]): Box => ({
  west: Math.min(...boxes.map((box) => box.west)),
  south: Math.min(...boxes.map((box) => box.south)),
  east: Math.max(...boxes.map((box) => box.east)),
  north: Math.max(...boxes.map((box) => box.north)),
})

/** An SVG path in degrees; the transformation of the drawing flips it upright. */
const pathOf = (coordinates: Coordinates) =>
  coordinates
    .flat()
    .map((ring) => `M${ring.map(([lng, lat]) => `${lng} ${lat}`).join('L')}Z`)
    .join('')

export const shapesOf = (map: MapFile): Shape[] =>
  map.features.map((feature) => {
    const { adcode, name, centre } = feature.properties
    const { coordinates } = feature.geometry
    const [lng, lat] = centre
    return { adcode, name, centre: { lng, lat }, box: boxOf(coordinates), d: pathOf(coordinates), feature }
  })

const inBox = ({ lng, lat }: Point, box: Box) =>
  lng >= box.west && lng <= box.east && lat >= box.south && lat <= box.north

/** The shape that contains a point; a hole is not part of a shape. */
export const shapeAt = (shapes: readonly Shape[], point: Point): Shape | undefined =>
  shapes.find(
    ({ box, feature }) =>
      inBox(point, box) &&
      feature.geometry.coordinates.some(([outer = [], ...holes]) => {
        const within = (ring: readonly [number, number][]) => pointInPolygon(point, pointsOf(ring))
        return within(outer) && !holes.some(within)
      }),
  )

export const provinceOf = (adcode: string) => `${adcode.slice(0, 2)}0000`
export const isProvince = (adcode: string) => /^[1-8]\d0000$/.test(adcode) && adcode !== '100000'

/** The shape of a region: its own, or that of its city. */
export const shapeOf = (shapes: readonly Shape[], adcode: string): Shape | undefined =>
  shapes.find((shape) => shape.adcode === adcode) ?? shapes.find((shape) => shape.adcode === `${adcode.slice(0, 4)}00`)
