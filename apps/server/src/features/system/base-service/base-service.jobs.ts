import { shanghaiDay } from '@wattdeck/domain/base-service.ts'
import { sql } from 'kysely'
import type pg from 'pg'
import { appendAudit, workerEntry } from '../../../kit/audit/audit.ts'
import { inScope, commit } from '../../../kit/db/db.ts'
import { systemScope } from '../../../kit/db/system-scope.ts'
import { dueStatuses, refreshStatuses } from './base-service.store.ts'

/** A new day may bring a warning or arrears to an organisation without any other change. */
export async function refreshBaseServices(pool: pg.Pool, nowMs = Date.now()): Promise<void> {
  const today = shanghaiDay(nowMs)
  await inScope(pool, systemScope, 'write', async ({ db, client }) => {
    const due = await dueStatuses(db, today, null)
    const changed = await refreshStatuses(
      db,
      today,
      due.map(({ id }) => id),
    )
    if (changed > 0) {
      const content = `按到期日期更新基础服务状态（${changed} 个机构）`
      await appendAudit(
        client,
        workerEntry({ organise_id: '1', module: '基础服务', content, path: 'baseService.refresh' }),
      )
    }
    return commit(undefined)
  })
}

const most = 5000

/** The same for devices, some thousands at a time, because many may be due on a new day. */
export async function refreshDeviceServices(pool: pg.Pool): Promise<void> {
  for (;;) {
    const changed = await inScope(pool, systemScope, 'record', async ({ db }) => {
      const { numAffectedRows } = await sql`
        with today as (select (now() at time zone 'Asia/Shanghai')::date as day),
        due as (select id from device, today where deleted_at is null
          and (service_status = 1 and service_until <= day + 30 or service_status = 2 and service_until < day) limit ${most})
        update device set service_status = app.service_status(service_until) from due where device.id = due.id`.execute(
        db,
      )
      return commit(Number(numAffectedRows ?? 0))
    })
    if (changed < most) return
  }
}
