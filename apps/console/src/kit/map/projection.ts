import { chinaBounds, type Point } from '@wattdeck/domain/geo.ts'
import type { Box } from './map-file.ts'

/**
 * Degrees to pixels: straight lines stay straight, so a point inside a polygon on the screen is inside it on the ground.
 * The latitude in the middle of the map determines how much shorter a degree of longitude is drawn.
 */
export type Size = { width: number; height: number }
export type Spot = { x: number; y: number }
export type View = Point & { zoom: number }
export type Projection = { size: Size; box: Box; view: View }

const margin = 0.94
/** Maximum pixels per degree: one pixel for about five metres. */
const finest = 20_000

const middleOfBox = ({ west, east, south, north }: Box): Point => ({
  lng: (west + east) / 2,
  lat: (south + north) / 2,
})

const stretchOf = (box: Box) => Math.cos((middleOfBox(box).lat * Math.PI) / 180)

/** Pixels per degree of latitude when the whole box is visible. */
const fitScale = ({ width, height }: Size, inner: Box, stretch: number) =>
  margin * Math.min(width / ((inner.east - inner.west) * stretch), height / (inner.north - inner.south))

export const scaleOf = ({ size, box, view }: Projection) => fitScale(size, box, stretchOf(box)) * view.zoom

/** The view that shows a part of the map. */
export function fit(size: Size, box: Box, part: Box): View {
  const stretch = stretchOf(box)
  const zoom = fitScale(size, part, stretch) / fitScale(size, box, stretch)
  return clamp(size, box, { ...middleOfBox(part), zoom })
}

const within = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high)

/** Keeps the middle of the screen on the map, and the zoom between the whole map and a street. */
function clamp(size: Size, box: Box, view: View): View {
  const most = Math.max(1, finest / fitScale(size, box, stretchOf(box)))
  return {
    lng: within(view.lng, box.west, box.east),
    lat: within(view.lat, box.south, box.north),
    zoom: within(view.zoom, 1, most),
  }
}

export function toScreen(projection: Projection, { lng, lat }: Point): Spot {
  const { size, box, view } = projection
  const scale = scaleOf(projection)
  return {
    x: size.width / 2 + (lng - view.lng) * scale * stretchOf(box),
    y: size.height / 2 - (lat - view.lat) * scale,
  }
}

export function toGround(projection: Projection, { x, y }: Spot): Point {
  const { size, box, view } = projection
  const scale = scaleOf(projection)
  return {
    lng: view.lng + (x - size.width / 2) / (scale * stretchOf(box)),
    lat: view.lat - (y - size.height / 2) / scale,
  }
}

/** The view after moving the map by a number of pixels; the point under the pointer stays there. */
export function moved(projection: Projection, dx: number, dy: number): View {
  const { size, box, view } = projection
  const { lng, lat } = toGround(projection, { x: size.width / 2 - dx, y: size.height / 2 - dy })
  return clamp(size, box, { lng, lat, zoom: view.zoom })
}

/** The view after zooming by a factor around a fixed spot. */
export function zoomed(projection: Projection, factor: number, spot: Spot): View {
  const { size, box, view } = projection
  const { zoom } = clamp(size, box, { ...view, zoom: view.zoom * factor })
  const anchor = toGround(projection, spot)
  const now = toGround({ ...projection, view: { ...view, zoom } }, spot)
  return clamp(size, box, { lng: view.lng + anchor.lng - now.lng, lat: view.lat + anchor.lat - now.lat, zoom })
}

/** The SVG transformation of a group that is drawn in degrees. */
export function matrixOf(projection: Projection): string {
  const scale = scaleOf(projection)
  const origin = toScreen(projection, { lng: 0, lat: 0 })
  return `matrix(${scale * stretchOf(projection.box)} 0 0 ${-scale} ${origin.x} ${origin.y})`
}

const metresPerDegree = 111_320
const roundLengths = [2000, 1000, 500, 200, 100, 50, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02].map(
  (kilometres) => kilometres * 1000,
)

/** The longest round distance that fits into a number of pixels. */
export function scaleBar(projection: Projection, longestPx: number): { widthPx: number; text: string } {
  const pxPerMetre = scaleOf(projection) / metresPerDegree
  const metres = roundLengths.find((length) => length * pxPerMetre <= longestPx) ?? 20
  const text = metres >= 1000 ? `${metres / 1000} 公里` : `${metres} 米`
  return { widthPx: metres * pxPerMetre, text }
}

export type Labelled = { key: string; text: string } & Spot
const labelHeight = 15
const labelWidth = (text: string) => text.length * 12 + 4

/** The labels that neither overlap nor leave the map; earlier ones have priority. */
export function placeLabels(labels: readonly Labelled[], { width, height }: Size): Labelled[] {
  const placed: Labelled[] = []
  for (const label of labels) {
    const half = labelWidth(label.text) / 2
    const inSight = label.x > half && label.x < width - half && label.y > labelHeight && label.y < height - labelHeight
    const free = placed.every(
      (other) =>
        Math.abs(other.x - label.x) > half + labelWidth(other.text) / 2 || Math.abs(other.y - label.y) > labelHeight,
    )
    if (inSight && free) placed.push(label)
  }
  return placed
}

/** A box around a point, about a hundred kilometres wide, that shows both the place and the borders. */
export const boxAround = ({ lng, lat }: Point): Box => ({
  west: Math.max(chinaBounds.west, lng - 0.6),
  east: Math.min(chinaBounds.east, lng + 0.6),
  south: Math.max(chinaBounds.south, lat - 0.5),
  north: Math.min(chinaBounds.north, lat + 0.5),
})
