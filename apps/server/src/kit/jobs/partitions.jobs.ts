import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Logger } from 'pino'
import { Gauge } from 'prom-client'
import { mayForget } from '../ops/clock-guard.ts'
import { type Db, inScope, commit } from '../db/db.ts'
import { startEvery } from './every.ts'
import { systemScope } from '../db/system-scope.ts'

const daysLeft = new Gauge({
  name: 'partition_days_left',
  help: 'Days from now on for which a table has partitions without a gap',
  labelNames: ['table'],
})

/** How far ahead partitions are made, and below how many days the alarm begins. */
const monthsAhead = 3
const daysAhead = 21
export const alarmDays = 7
/** Moving rows out of a default partition reads all of it. */
const upkeepMs = 60_000

/** Device messages are kept so many days. What a bill rests on is kept for good, in device_record. */
const messageDays = 7
const commandDays = 90

/** While nothing may be dropped: longer than any installation has existed. */
const allDays = 36_500

type Upkeep = (db: Db, table: string, at: string, mayDrop: boolean) => Promise<unknown>
const months: Upkeep = (db, table, at) => sql`select app.ensure_months(${table}, ${monthsAhead}, ${at})`.execute(db)
const idMonths: Upkeep = (db, table, at) =>
  sql`select app.ensure_id_months(${table}, ${monthsAhead}, ${at})`.execute(db)
const days =
  (keptDays: number): Upkeep =>
  (db, table, at, mayDrop) =>
    sql`select app.keep_days(${table}, ${daysAhead}, ${mayDrop ? keptDays : allDays}, ${at})`.execute(db)

/** What was published is kept so many days. A day in which something waits is kept until it is published. */
const outboxDays = 7
const outbox: Upkeep = (db, _table, at, mayDrop) =>
  sql`select app.keep_outbox_days(${daysAhead}, ${mayDrop ? outboxDays : allDays}, ${at})`.execute(db)

const upkeep: Record<string, Upkeep> = {
  // Without these two no device message and no command can be stored, so they come first.
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
 * Makes the partitions of the coming days and months and drops the days that have served their time. Each table has a
 * transaction of its own, so a table that fails stops no other. Returns the fewest days left of any table.
 */
export async function keepPartitions(pool: pg.Pool, log: Logger, now: () => number = Date.now): Promise<number> {
  const at = new Date(now()).toISOString()
  const mayDrop = await mayForget(pool, log)
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
    const left = await readDaysLeft(pool, table, at)
    daysLeft.set({ table }, left)
    fewest = Math.min(fewest, left)
    if (left < alarmDays) log.fatal({ table, daysLeft: left }, 'too few partitions ahead')
  }
  return fewest
}

/**
 * A new partition locks its table and those that it refers to. Whoever waits behind it, and whoever has locked them in the
 * other order, must not suffer: the upkeep gives up before PostgreSQL looks for a deadlock, and tries again.
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
 * Runs the upkeep at once and then every ten minutes. Every worker does: the database lets one of them make a partition.
 * Ten minutes by the clock, not by a timer: a machine that was asleep, or whose clock was set, is late already.
 */
export function startPartitionUpkeep(pool: pg.Pool, log: Logger) {
  let fewest: number | undefined
  let lastMs = Number.NEGATIVE_INFINITY
  const round = async () => {
    if (Math.abs(Date.now() - lastMs) < everyMs) return
    lastMs = Date.now()
    fewest = await keepPartitions(pool, log)
  }
  const stop = startEvery({ name: 'partitions', everyMs: lookMs, limitMs: 900_000, round, log })
  return {
    /** False when a table is about to have no partition. Unknown until the first round counts as ready. */
    isReady: () => fewest === undefined || fewest >= alarmDays,
    stop,
  }
}
