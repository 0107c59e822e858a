import { sql } from 'kysely'
import type pg from 'pg'
import type { Logger } from 'pino'
import { Gauge } from 'prom-client'
import { inScope, keep } from '../kit/db.ts'
import { systemScope } from '../kit/system-scope.ts'

const broken = new Gauge({
  name: 'audit_chain_breaks',
  help: 'Broken links found in the audit chain at the last proof',
})

/** What devices have said is kept so many days; what a bill rests on for good, elsewhere. */
const messageDays = 7
/** What devices were told to do, for longer than people ask about it. */
const commandDays = 90

/** Removes what has served its time, and makes the partitions of the months to come. */
export async function housekeeping(pool: pg.Pool): Promise<void> {
  await inScope(pool, systemScope, 'write', async ({ db }) => {
    await db
      .deleteFrom('captcha')
      .where('expires_at', '<', sql<string>`now()`)
      .execute()
    await db
      .deleteFrom('attempt')
      .where('expires_at', '<', sql<string>`now()`)
      .execute()
    await db
      .deleteFrom('idempotency_key')
      .where('created_at', '<', sql<string>`now() - interval '2 days'`)
      .execute()
    await db
      .deleteFrom('outbox')
      .where('published_at', '<', sql<string>`now() - interval '7 days'`)
      .execute()
    await db
      .deleteFrom('sms_code')
      .where('expires_at', '<', sql<string>`now() - interval '1 day'`)
      .execute()
    await db
      .deleteFrom('sms_message')
      .where('created_at', '<', sql<string>`now() - interval '180 days'`)
      .execute()
    await db
      .deleteFrom('login_ticket')
      .where('expires_at', '<', sql<string>`now() - interval '1 day'`)
      .execute()
    await db
      .deleteFrom('alipay_attempt')
      .where('created_at', '<', sql<string>`now() - interval '30 days'`)
      .execute()
    await db
      .deleteFrom('session')
      .where('last_seen_at', '<', sql<string>`now() - interval '30 days'`)
      .execute()
    // Left by transactions that changed something and logged nothing: none should, but they must not pile up.
    await sql`delete from audit_pending where txid < pg_snapshot_xmin(pg_current_snapshot())`.execute(db)
    for (const table of ['audit_log', 'device_record', 'device_event', 'posting', 'entry'])
      await sql`select app.ensure_months(${table}, 3)`.execute(db)
    const byId = [
      'charging_order',
      'charge_sample',
      'card_swipe',
      'pay_order',
      'pay_refund',
      'recharge_order',
      'channel_bill_line',
    ]
    for (const table of byId) await sql`select app.ensure_id_months(${table}, 3)`.execute(db)
    return keep(undefined)
  })
  // On its own: dropping a day waits for whoever is writing, and nothing else should wait with it.
  await inScope(pool, systemScope, 'write', async ({ db }) => {
    await sql`select app.keep_days('device_message', 3, ${messageDays})`.execute(db)
    await sql`select app.keep_days('device_command', 3, ${commandDays})`.execute(db)
    return keep(undefined)
  })
}

/** Walks the whole chain of hashes. A break is an alarm, not a repair: nothing is changed. */
export async function proveAudit(pool: pg.Pool, log: Logger): Promise<void> {
  const breaks = await inScope(pool, systemScope, 'read', async ({ db }) => {
    await sql`set local statement_timeout = '10min'`.execute(db)
    const { rows } = await sql<{
      organise_id: string
      seq: string
      what: string
    }>`select * from app.audit_breaks()`.execute(db)
    return keep(rows)
  })
  broken.set(breaks.length)
  if (breaks.length > 0)
    log.fatal({ breaks: breaks.slice(0, 20), count: breaks.length }, 'the audit log has been tampered with')
}
