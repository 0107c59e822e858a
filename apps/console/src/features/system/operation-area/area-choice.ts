import { type Point, pointInPolygon } from '@wattdeck/domain/geo.ts'

/** Ids with their names. */
export type Members = ReadonlyMap<string, string>
/** The sites of an area, and what was drawn for it. */
export type AreaChoice = { sites: Members; corners: readonly Point[] }
type Named = Point & { id: string; name: string }

/** The choice after another polygon: what the old one held goes, what lies in the new one comes, the rest stays. */
export function redrawn(now: AreaChoice, points: readonly Named[], corners: readonly Point[]): AreaChoice {
  const insideOf = (area: readonly Point[]) => points.filter((point) => pointInPolygon(point, area))
  const sites = new Map(now.sites)
  for (const { id } of insideOf(now.corners)) sites.delete(id)
  for (const { id, name } of insideOf(corners)) sites.set(id, name)
  return { sites, corners }
}
