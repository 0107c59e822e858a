import type { Point } from './geo.ts'

/**
 * By which a card is known, whatever reader read it: of one card some send four bytes and others eight, filled up with
 * zeros in front. What is no hex is a name that a charge point has made of it, and stays as it is.
 */
export function chipNo(read: string): string {
  if (!/^[\da-f]+$/i.test(read)) return read
  return read.toLowerCase().replace(/^0+(?=.)/, '')
}

export type Sighting = Point & { atMs: number }

const earthKm = 6371
const radians = (degrees: number) => (degrees * Math.PI) / 180

/** Along the surface; the earth is a ball here, which is exact to half a percent. */
function distanceKm(one: Point, other: Point): number {
  const [lat1, lat2] = [radians(one.lat), radians(other.lat)]
  const half = (angle: number) => Math.sin(angle / 2) ** 2
  const part = half(lat2 - lat1) + Math.cos(lat1) * Math.cos(lat2) * half(radians(other.lng - one.lng))
  return 2 * earthKm * Math.asin(Math.min(1, Math.sqrt(part)))
}

/** Sites stand where somebody put them on a map, so what is near is no proof. */
const nearKm = 5
const fastestKmh = 150

/** Whether one card can have been in both places: nobody rides or drives faster than this from one to the other. */
export function couldTravel(from: Sighting, to: Sighting): boolean {
  const km = distanceKm(from, to)
  const hours = Math.max(0, to.atMs - from.atMs) / 3_600_000
  return km <= nearKm || km <= hours * fastestKmh
}
