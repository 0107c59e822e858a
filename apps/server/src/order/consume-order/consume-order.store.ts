import type { consumeOrder } from '@wattdeck/contract/order/consume-order.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { sql } from 'kysely'
import type { Db } from '../../kit/db.ts'
import type { Scope } from '../../kit/scope.ts'
import { inStatus } from '../order-filter.ts'
import { listOrders, orderTotals } from '../order-list.store.ts'

export const listConsumeOrders = (db: Db, scope: Scope, filter: QueryOf<typeof consumeOrder.list>) =>
  listOrders(db, scope, filter, inStatus(filter.status))

export const consumeTotals = (db: Db, scope: Scope, filter: QueryOf<typeof consumeOrder.totals>) =>
  orderTotals(db, scope, filter, inStatus(filter.status))

/** A device in scope by the number that is printed on it. */
export async function findDevice(db: Db, _scope: Scope, deviceNo: string) {
  const { rows } = await sql<{ id: string; organiseId: string }>`
    select id, organise_id as "organiseId" from device where device_no = ${deviceNo} and deleted_at is null limit 1`.execute(
    db,
  )
  return rows[0]
}

type Payer = { id: string; organiseId: string; name: string; phone: string; status: number }

/** A member of the organisation, by their number or by their phone. */
export async function findPayer(
  db: Db,
  _scope: Scope,
  organiseId: string,
  by: { id: string } | { phone: string },
): Promise<Payer | undefined> {
  const { rows } =
    await sql<Payer>`select id, organise_id as "organiseId", nickname as name, coalesce(phone, '') as phone, status
    from member where organise_id = ${organiseId} and ${'id' in by ? sql`id = ${by.id}` : sql`phone = ${by.phone}`}`.execute(
      db,
    )
  return rows[0]
}
