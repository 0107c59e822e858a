import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../kit/db/db.ts'
import { bigs, type NowFigure, type Sums, sumsOf } from './stat-page.store.ts'
import { agentsPlace, organisesPlace, sitesPlace } from './stat-place.store.ts'

/**
 * Current figures of the owners on a page, by owner id. They come from rolled-up rows, so the cost of a page does not
 * depend on the number of devices. An owner without rows is omitted.
 */
type Now<F extends NowFigure> = Promise<Map<string, Sums<F>>>

export const organisesNow = <F extends NowFigure>(db: Db, ids: readonly string[], figures: readonly F[]): Now<F> =>
  readNow(db, 'organise_id', ids, organisesPlace(ids), figures)

export const sitesNow = <F extends NowFigure>(db: Db, ids: readonly string[], figures: readonly F[]): Now<F> =>
  readNow(db, 'site_id', ids, sitesPlace({}, ids), figures)

type Agent = { id: string; organiseId: string }
/** Each agent without its sub-agents. */
export function agentsNow<F extends NowFigure>(db: Db, agents: readonly Agent[], figures: readonly F[]): Now<F> {
  const ids = agents.map((agent) => agent.id)
  const organiseIds = [...new Set(agents.map((agent) => agent.organiseId))]
  return readNow(db, 'agent_id', ids, agentsPlace(organiseIds, ids), figures)
}

async function readNow<F extends NowFigure>(
  db: Db,
  owner: 'organise_id' | 'agent_id' | 'site_id',
  ids: readonly string[],
  place: RawBuilder<boolean>,
  figures: readonly F[],
): Now<F> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<Record<string, string>>`
    select ${sql.ref(owner)}::text as owner, ${sumsOf(figures)} from stat_now_live where ${place} group by 1`.execute(
    db,
  )
  return new Map(rows.map((row) => [row['owner'] ?? '', bigs(figures, row)]))
}
