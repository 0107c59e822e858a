import type { OpenRechargeRefund } from '@wattdeck/contract/open/open-recharge-refund.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'

type Fate = Pick<OpenRechargeRefund, 'decision' | 'createdAt' | 'finishedAt'>

/** The times of the request and of its end, and the decision text. */
export async function readFate(db: Db, id: string): Promise<Fate | undefined> {
  const { rows } = await sql<Fate>`
    select decision, created_at as "createdAt", finished_at as "finishedAt" from recharge_refund where id = ${id}`.execute(
    db,
  )
  return rows[0]
}
