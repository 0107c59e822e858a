import { sql } from 'kysely'
import { lockOrder, type LockedOrder, peekOrder } from '../../../core/charging/order.store.ts'
import type { Db } from '../../../kit/db/db.ts'
import type { Ctx } from '../../../kit/http/handlers.ts'
import { notFound, orNotFound } from '../../../kit/http/refusal.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { withWholeOrganiseScope } from '../../../kit/db/whole-organise.ts'

type Some = Pick<Ctx<never>, 'db' | 'scope'>

/** Organisation of an order in the caller's scope. An order outside the scope is not found. */
export async function organiseOf(db: Db, id: string): Promise<string> {
  const { rows } = await sql<{ organiseId: string }>`
    select organise_id as "organiseId" from charging_order where id = ${id}`.execute(db)
  const [row] = rows
  if (row === undefined) throw notFound()
  return row.organiseId
}

type Work<T> = (order: LockedOrder, scope: Scope) => Promise<T>
const withOrder =
  (read: typeof lockOrder) =>
  async <T>({ db, scope }: Some, id: string, work: Work<T>): Promise<T> =>
    withWholeOrganiseScope(db, scope, await organiseOf(db, id), async (wider) => {
      const order = orNotFound(await read(db, id))
      return work(order, wider)
    })

/** Runs the work on an order in the caller's scope: the order is locked, and its price and payer are visible. */
export const withLockedOrder = withOrder(lockOrder)
/** The same without the lock, for previews. */
export const lookingAtOrder = withOrder(peekOrder)
