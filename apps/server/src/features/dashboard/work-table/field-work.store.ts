import type { Figure } from '@wattdeck/contract/dashboard/work-table.ts'
import { installStatus } from '@wattdeck/contract/product/device-codes.ts'
import { repairStatus } from '@wattdeck/contract/product/repair-ticket.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { planByValues } from '../../../kit/db/paging.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { statNow } from '../../../core/statistics/stat-page.store.ts'
import type { StatFilter } from '../../../core/statistics/stat-place.store.ts'
import { placeConditionsOf } from '../_shared/placed.ts'

/** Devices without a first report, and failed installations. It joins organisations because the index begins with their id. */
export async function countInstalls(db: Db, scope: Scope, owner: StatFilter): Promise<Figure> {
  await planByValues(db)
  const { waiting, failure } = installStatus.code
  const where = [...placeConditionsOf('device', scope, owner), sql<boolean>`device.deleted_at is null`]
  const { rows } = await sql<{ open: string; failed: string }>`
    select (count(*) filter (where install_status = ${sql.lit(waiting)}))::text as open,
      (count(*) filter (where install_status = ${sql.lit(failure)}))::text as failed
    from organise join device on device.organise_id = organise.id
      and device.install_status in (${sql.lit(waiting)}, ${sql.lit(failure)})
    where ${sql.join(where, sql` and `)}`.execute(db)
  const devices = (await statNow(db, scope, owner, ['devices'])).get('')?.devices ?? 0n
  const { open = '0', failed = '0' } = rows[0] ?? {}
  const parts = [{ label: '安装失败', value: failed }]
  return { value: open, of: String(devices), parts, compared: null, days: null, whose: null }
}

/** Open tickets, with those of the caller and those without an assignee. */
export async function countTickets(db: Db, scope: Scope, owner: StatFilter, userId: string): Promise<Figure> {
  await planByValues(db)
  const where = [
    ...placeConditionsOf('repair_ticket', scope, owner),
    sql<boolean>`repair_ticket.status = ${sql.lit(repairStatus.code.waiting)}`,
  ]
  const { rows } = await sql<{ open: string; own: string; free: string }>`
    select count(*)::text as open, (count(*) filter (where assignee_id = ${userId}))::text as own,
      (count(*) filter (where assignee_id is null))::text as free
    from repair_ticket where ${sql.join(where, sql` and `)}`.execute(db)
  const { open = '0', own = '0', free = '0' } = rows[0] ?? {}
  const parts = [
    { label: '由我负责', value: own },
    { label: '未派发', value: free },
  ]
  return { value: open, of: null, parts, compared: null, days: null, whose: null }
}
