import { pagingFields } from '@wattdeck/contract/kit/page.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import type { completedOrder } from '@wattdeck/contract/order/completed-order.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import type { Condition } from '../../../kit/db/list-query.ts'
import { planByValues } from '../../../kit/db/paging.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { among, phoneConditions, placeConditions, same } from './money-filter.ts'

type OrderFilter = Partial<QueryOf<typeof completedOrder.list>>
const table = 'charging_order'

/** An unfiltered list shares one plan for all callers. A filtered query is planned for its values, which may be rare or common. */
const planFor = async (db: Db, filter: OrderFilter): Promise<void> => {
  const aside = new Set<string>([...pagingFields, 'countTo', 'organiseId'])
  const narrowed = Object.entries(filter).some(([name, value]) => value !== undefined && !aside.has(name))
  if (narrowed) await planByValues(db)
}

/** Includes removed devices, because their orders remain. */
async function ofDevice(db: Db, deviceNo: string | undefined): Promise<Condition[]> {
  if (deviceNo === undefined) return []
  const { rows } = await sql<{ id: string }>`select id from device where device_no = ${deviceNo} limit 50`.execute(db)
  return among(
    table,
    'device_id',
    rows.map(({ id }) => id),
  )
}

/** Conditions that every list of orders shares. */
export async function orderConditions(filter: OrderFilter, { db, scope }: { db: Db; scope: Scope }) {
  const looked = await Promise.all([
    placeConditions(db, scope, table, filter),
    phoneConditions(db, scope, table, filter),
    ofDevice(db, filter.deviceNo),
    planFor(db, filter),
  ])
  return [
    ...looked.flatMap((conditions) => conditions ?? []),
    ...same(table, 'id', filter.orderNo),
    ...same(table, 'device_type_id', filter.deviceTypeId),
    ...same(table, 'member_id', filter.memberId),
  ]
}
