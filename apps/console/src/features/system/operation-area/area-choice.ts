import { type Point, pointInPolygon } from '@wattdeck/domain/geo.ts'

/** Names by id. */
export type Members = ReadonlyMap<string, string>
/** The sites of an area, and its polygon. */
export type AreaChoice = { sites: Members; corners: readonly Point[] }
type Named = Point & { id: string; name: string }

/** The selection after a new polygon: removes the sites of the old one, adds those of the new one, keeps the rest. */
export function redrawn(now: AreaChoice, points: readonly Named[], corners: readonly Point[]): AreaChoice {
  const insideOf = (area: readonly Point[]) => points.filter((point) => pointInPolygon(point, area))
  const sites = new Map(now.sites)
  for (const { id } of insideOf(now.corners)) sites.delete(id)
  for (const { id, name } of insideOf(corners)) sites.set(id, name)
  return { sites, corners }
}
