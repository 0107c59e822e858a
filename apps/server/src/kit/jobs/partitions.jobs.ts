import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Logger } from 'pino'
import { Gauge } from 'prom-client'
import { mayDropByAge } from '../ops/clock-guard.ts'
import { type Db, inScope, commit } from '../db/db.ts'
import { startPeriodicJob } from './every.ts'
import { systemScope } from '../db/system-scope.ts'

const daysLeft = new Gauge({
  name: 'partition_days_left',
  help: 'Days ahead for which a table has gapless partitions',
  labelNames: ['table'],
})

/** How far ahead partitions are created, and below how many days the alarm begins. */
const monthsAhead = 3
const daysAhead = 21
export const alarmDays = 7
/** Moving rows out of a default partition scans all of it. */
const upkeepMs = 60_000

/** Retention of device messages in days. The records behind a bill are kept for good, in device_record. */
const messageDays = 7
const commandDays = 90

/** Retention while nothing may be dropped: longer than any installation has existed. */
const allDays = 36_500

type Upkeep = (db: Db, table: string, at: string, mayDrop: boolean) => Promise<unknown>
const months: Upkeep = (db, table, at) => sql`select app.ensure_months(${table}, ${monthsAhead}, ${at})`.execute(db)
const idMonths: Upkeep = (db, table, at) =>
  sql`select app.ensure_id_months(${table}, ${monthsAhead}, ${at})`.execute(db)
const days =
  (retentionDays: number): Upkeep =>
  (db, table, at, mayDrop) =>
    sql`select app.keep_days(${table}, ${daysAhead}, ${mayDrop ? retentionDays : allDays}, ${at})`.execute(db)

/** Retention of published outbox events. A day with unpublished events is kept until they are published. */
const outboxDays = 7
const outbox: Upkeep = (db, _table, at, mayDrop) =>
  sql`select app.keep_outbox_days(${daysAhead}, ${mayDrop ? outboxDays : allDays}, ${at})`.execute(db)

const upkeep: Record<string, Upkeep> = {
  // Device messages and commands cannot be stored without these two, so they come first.
  device_message: days(messageDays),
  device_command: days(commandDays),
  outbox,
  device_record: months,
  device_event: months,
  charging_order: idMonths,
  charge_sample: idMonths,
  pay_order: idMonths,
  pay_refund: idMonths,
  recharge_order: idMonths,
  card_swipe: idMonths,
  channel_bill_line: idMonths,
  posting: months,
  entry: months,
  audit_log: months,
}
export const partitionedTables = Object.keys(upkeep)

/**
 * Creates the partitions of the coming days and months and drops expired days. Each table has its own transaction, so a
 * table that fails stops no other. Returns the fewest days left of any table.
 */
export async function maintainPartitions(pool: pg.Pool, log: Logger, now: () => number = Date.now): Promise<number> {
  const at = new Date(now()).toISOString()
  const mayDrop = await mayDropByAge(pool, log)
  let fewest = Number.POSITIVE_INFINITY
  for (const [table, work] of Object.entries(upkeep)) {
    const make = givingWay(() =>
      inScope(
        pool,
        systemScope,
        'write',
        async ({ db }) => {
          await sql`set local lock_timeout = ${sql.lit(lockMs)}`.execute(db)
          return commit(await work(db, table, at, mayDrop))
        },
        upkeepMs,
      ),
    )
    await make.catch((error: unknown) => log.error({ err: error, table }, 'partitions not made; will retry'))
    const remainingDays = await readDaysLeft(pool, table, at)
    daysLeft.set({ table }, remainingDays)
    fewest = Math.min(fewest, remainingDays)
    if (remainingDays < alarmDays) log.fatal({ table, daysLeft: remainingDays }, 'too few partitions ahead')
  }
  return fewest
}

/**
 * Creating a partition locks its table and the tables it references. Other transactions may wait behind these locks or hold
 * them in another order. The upkeep therefore times out before PostgreSQL checks for a deadlock, and retries.
 */
const lockMs = 300
const lockTries = 40
const lockCodes = new Set(['55P03', '40P01'])

async function givingWay(make: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await make()
      return
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : ''
      if (!lockCodes.has(code) || tries === lockTries) throw error
      await sleep(100 + Math.random() * 400)
    }
  }
}

const readDaysLeft = (pool: pg.Pool, table: string, at: string): Promise<number> =>
  inScope(pool, systemScope, 'read', async ({ db }) => {
    const { rows } = await sql<{ days: number }>`select app.partition_days_left(${table}, ${at}) as days`.execute(db)
    return commit(rows[0]?.days ?? 0)
  })

const everyMs = 600_000
const lookMs = 1000

/**
 * Runs the upkeep at once and then every ten minutes, in every worker. The database lets one of them create a partition.
 * The ten minutes are wall-clock time, not a timer: after sleep or a clock change the upkeep is already overdue.
 */
export function startPartitionUpkeep(pool: pg.Pool, log: Logger) {
  let fewest: number | undefined
  let lastMs = Number.NEGATIVE_INFINITY
  const round = async () => {
    if (Math.abs(Date.now() - lastMs) < everyMs) return
    lastMs = Date.now()
    fewest = await maintainPartitions(pool, log)
  }
  const stop = startPeriodicJob({ name: 'partitions', everyMs: lookMs, limitMs: 900_000, round, log })
  return {
    /** False when a table is about to have no partition. Before the first round the state is unknown and counts as ready. */
    isReady: () => fewest === undefined || fewest >= alarmDays,
    stop,
  }
}
