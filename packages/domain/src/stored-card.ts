import type { Point } from './geo.ts'
import { yuanText } from './money.ts'

/**
 * The canonical chip number of a card, independent of the reader: some readers send four bytes, others eight with
 * leading zeros. A text that is not hex is an identifier assigned by the charge point and stays unchanged.
 */
export function chipNo(read: string): string {
  if (!/^[\da-f]+$/i.test(read)) return read
  return read.toLowerCase().replace(/^0+(?=.)/, '')
}

export type Sighting = Point & { atMs: number }

const earthKm = 6371
const radians = (degrees: number) => (degrees * Math.PI) / 180

/** Great-circle distance on a sphere, accurate to half a percent. */
function distanceKm(one: Point, other: Point): number {
  const [lat1, lat2] = [radians(one.lat), radians(other.lat)]
  const half = (angle: number) => Math.sin(angle / 2) ** 2
  const part = half(lat2 - lat1) + Math.cos(lat1) * Math.cos(lat2) * half(radians(other.lng - one.lng))
  return 2 * earthKm * Math.asin(Math.min(1, Math.sqrt(part)))
}

/** Sites are placed on the map by hand, so short distances prove nothing. */
const nearKm = 5
const fastestKmh = 150

/** Whether one card can have been in both places, at a speed that a vehicle can reach. */
export function couldTravel(from: Sighting, to: Sighting): boolean {
  const km = distanceKm(from, to)
  const hours = Math.max(0, to.atMs - from.atMs) / 3_600_000
  return km <= nearKm || km <= hours * fastestKmh
}

/** Legal ceilings of the balance of a prepaid card, in fen: a named card has a known holder. */
const cardCeilings = { namedFen: 500_000n, anonymousFen: 100_000n }

/** The message when this balance exceeds the ceiling of the card; undefined when it does not. */
export function cardCeilingProblem(balanceFen: bigint, isNamed: boolean): string | undefined {
  const ceilingFen = isNamed ? cardCeilings.namedFen : cardCeilings.anonymousFen
  if (balanceFen <= ceilingFen) return undefined
  return `${isNamed ? '记名卡' : '不记名卡'}余额不能超过${yuanText(ceilingFen)}元，充值后将达到${yuanText(balanceFen)}元`
}
