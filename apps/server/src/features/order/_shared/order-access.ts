import { sql } from 'kysely'
import { lockOrder, type LockedOrder, peekOrder } from '../../../core/charging/order.store.ts'
import type { Db } from '../../../kit/db/db.ts'
import type { Ctx } from '../../../kit/http/handlers.ts'
import { notFound, orNotFound } from '../../../kit/http/refusal.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { seeingWholeOrganise } from '../../../kit/db/whole-organise.ts'

type Some = Pick<Ctx<never>, 'db' | 'scope'>

/** Whose an order in the caller's scope is; one outside of it is not there. */
export async function organiseOf(db: Db, id: string): Promise<string> {
  const { rows } = await sql<{ organiseId: string }>`
    select organise_id as "organiseId" from charging_order where id = ${id}`.execute(db)
  const [seen] = rows
  if (seen === undefined) throw notFound()
  return seen.organiseId
}

type Work<T> = (order: LockedOrder, scope: Scope) => Promise<T>
const withOrder =
  (read: typeof lockOrder) =>
  async <T>({ db, scope }: Some, id: string, work: Work<T>): Promise<T> =>
    seeingWholeOrganise(db, scope, await organiseOf(db, id), async (wider) => {
      const order = orNotFound(await read(db, id))
      return work(order, wider)
    })

/** An order in the caller's scope, locked until what happens to it is decided, with its price and its payer in sight. */
export const changingOrder = withOrder(lockOrder)
/** The same, for who only wants to know what would happen. */
export const lookingAtOrder = withOrder(peekOrder)
