/** Places on the map of China, in degrees. */
export type Point = { lng: number; lat: number }

/** The bounding box of the country, its southern islands included. */
export const chinaBounds = { west: 73, east: 136, south: 3, north: 54 }

export const inChina = ({ lng, lat }: Point): boolean =>
  lng >= chinaBounds.west && lng <= chinaBounds.east && lat >= chinaBounds.south && lat <= chinaBounds.north

/** Six decimals are about ten centimetres. */
export const roundDegrees = (degrees: number, decimals = 6): number => Number(degrees.toFixed(decimals))

const between = (value: number, one: number, other: number) =>
  value >= Math.min(one, other) && value <= Math.max(one, other)

/** Twice the signed area of the triangle; the sign tells on which side of the line from a to b the point lies. */
const side = (a: Point, b: Point, point: Point) =>
  (b.lng - a.lng) * (point.lat - a.lat) - (b.lat - a.lat) * (point.lng - a.lng)

/**
 * Whether a point lies in the polygon of these corners; the last is joined to the first. The border counts as inside.
 * Self-crossing polygons follow the 'evenodd' fill rule.
 */
export function pointInPolygon(point: Point, corners: readonly Point[]): boolean {
  let inside = false
  for (const [place, corner] of corners.entries()) {
    const next = corners[(place + 1) % corners.length] ?? corner
    // Always from the lower end to the upper one, so the drawing direction does not affect rounding.
    const [low, high] = corner.lat <= next.lat ? [corner, next] : [next, corner]
    const turn = side(low, high, point)
    if (turn === 0 && between(point.lng, low.lng, high.lng) && between(point.lat, low.lat, high.lat)) return true
    if (low.lat <= point.lat && point.lat < high.lat && turn > 0) inside = !inside
  }
  return inside
}

/** The area-weighted centroid; the mean of the corners when the area is zero. */
export function centreOf(corners: readonly Point[]): Point {
  const first = corners[0] ?? { lng: 0, lat: 0 }
  let [area, lng, lat] = [0, 0, 0]
  for (const [place, corner] of corners.entries()) {
    const next = corners[(place + 1) % corners.length] ?? corner
    // Relative to the first corner: products of coordinates far from the origin would lose precision.
    const weight = side(first, corner, next)
    area += weight
    lng += weight * (first.lng + corner.lng + next.lng)
    lat += weight * (first.lat + corner.lat + next.lat)
  }
  if (area !== 0) return { lng: lng / (3 * area), lat: lat / (3 * area) }
  const mean = (of: (corner: Point) => number) => corners.reduce((sum, corner) => sum + of(corner), 0) / corners.length
  return { lng: mean((corner) => corner.lng), lat: mean((corner) => corner.lat) }
}
