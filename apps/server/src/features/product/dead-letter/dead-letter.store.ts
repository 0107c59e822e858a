import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import type { deadLetter } from '@wattdeck/contract/product/dead-letter.ts'
import { deadLetterFlow } from '@wattdeck/contract/product/device-codes.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import type { Source } from '../../../kit/db/list-query.ts'

export const deadLetterSource: Source = {
  table: 'device_dead_letter',
  computed: {
    frame: sql`encode(frame, 'hex')`,
    receivedAt: sql`app.message_time(id)`,
  },
  // A literal instead of a parameter, so that the partial index of waiting letters applies.
  own: ({ status }: QueryOf<typeof deadLetter.list>) =>
    status === undefined ? [] : [sql<boolean>`device_dead_letter.status = ${sql.lit(status)}`],
}

/** Locks the letters that exist, in any status, and returns their number. */
export const countThere = async (db: Db, ids: readonly string[]): Promise<number> => {
  const rows = await db
    .selectFrom('device_dead_letter')
    .select('id')
    .where('id', '=', sql<string>`any(${ids})`)
    .forUpdate()
    .execute()
  return rows.length
}

/** Handles the letters that are still waiting, and returns their ids. */
export async function handle(
  db: Db,
  ids: readonly string[],
  { how, by }: { how: 'replay' | 'giveUp'; by: string },
): Promise<string[]> {
  const changed = await db
    .updateTable('device_dead_letter')
    .set({ status: deadLetterFlow.to(how), handled_by: by, handled_at: sql<string>`now()` })
    .where('id', '=', sql<string>`any(${ids})`)
    .where('status', '=', sql<number>`any(${deadLetterFlow.from(how)})`)
    .returning('id')
    .execute()
  return changed.map(({ id }) => id)
}
