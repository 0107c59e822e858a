import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import type { DeadLetter, deadLetter } from '@wattdeck/contract/product/dead-letter.ts'
import { deadLetterFlow } from '@wattdeck/contract/product/device-codes.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { byId, pageOf } from '../../../kit/db/paging.ts'

export function listDeadLetters(db: Db, filter: QueryOf<typeof deadLetter.list>) {
  const matching = db
    .selectFrom('device_dead_letter')
    // Written out for those that wait: an index of their own serves them.
    .$if(filter.status === 1, (query) => query.where(sql<boolean>`status = 1`))
    .$if(filter.status !== undefined && filter.status !== 1, (query) => query.where('status', '=', filter.status ?? 2))
  return pageOf(db, matching, filter, {
    key: byId('device_dead_letter.id'),
    columns: (query) =>
      query.select([
        'id',
        'wire',
        'reason',
        sql<DeadLetter['content']>`content`.as('content'),
        sql<string | null>`encode(frame, 'hex')`.as('frame'),
        sql<string>`app.message_time(id)`.as('receivedAt'),
        'failed_at as failedAt',
        sql<DeadLetter['status']>`status`.as('status'),
        'handled_by as handledBy',
        'handled_at as handledAt',
      ]),
  })
}

/** Which of these there are, whatever was done with them. */
export const countThere = async (db: Db, ids: readonly string[]): Promise<number> => {
  const found = await db
    .selectFrom('device_dead_letter')
    .select('id')
    .where('id', '=', sql<string>`any(${ids})`)
    .forUpdate()
    .execute()
  return found.length
}

/** Those of them that waited until now. */
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
