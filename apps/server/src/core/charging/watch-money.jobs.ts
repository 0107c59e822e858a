import { orderStatus } from '@wattdeck/contract/order/order-codes.ts'
import { whenOffline } from '@wattdeck/contract/product/device-command.ts'
import type { Benefit } from '@wattdeck/domain/tariff/benefit.ts'
import type { TariffRules } from '@wattdeck/domain/tariff/rules.ts'
import { mayBeExhausted, isExhausted, safeUsage } from '@wattdeck/domain/tariff/running.ts'
import { usageLimits, usageProblem } from '@wattdeck/domain/tariff/usage.ts'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Logger } from 'pino'
import { Counter } from 'prom-client'
import { enqueueCommand } from '../devices/command.store.ts'
import { inScope, commit } from '../../kit/db/db.ts'
import { startPeriodicJob } from '../../kit/jobs/every.ts'
import { systemScope } from '../../kit/db/system-scope.ts'
import * as store from './order.store.ts'
import { payerOf } from './payer.ts'
import { lastReported, usageOf } from './settle-order.ts'

const stoppedCharges = new Counter({
  name: 'charges_stopped_for_money_total',
  help: 'Charges stopped because their reserved money was used up',
})
const most = 500
const stopS = 60

type Running = {
  id: string
  /** Time of the report in full precision, as text. */
  at: string
  rules: TariffRules | null
  heldFen: string
  benefits: readonly Benefit[]
  startedMs: number
  atMs: number
  reportedMs: number
  reportedS: number
  reportedDwh: number
  peakPowerDw: number | null
}

/**
 * Stops charges whose reserved money is used up. A start command contains a limit, but not every device obeys it, and no
 * device knows prices that change with the hour. A bill never exceeds the reserved amount.
 */
export function watchMoney(pool: pg.Pool, log: Logger, everyMs = 2000): () => Promise<void> {
  const round = async () => (await watchMoneyOnce(pool, log)) === most
  return startPeriodicJob({ name: 'money watch', everyMs, round, log })
}

/** One round: checks charges whose reports exceed the consumption that their money certainly covers. Returns how many. */
export async function watchMoneyOnce(pool: pg.Pool, log: Logger): Promise<number> {
  const due = await claimDueCharges(pool)
  for (const { id } of due.filter(isNearEnd)) await stopIfUsedUp(pool, log, id)
  return due.length
}

/** Skips rows that are locked by a report or by another worker, so that the query never waits. */
const claimDueCharges = (pool: pg.Pool): Promise<Running[]> =>
  inScope(pool, systemScope, 'record', async ({ db }) => {
    const ms = (column: string) => sql.raw(`(extract(epoch from ${column}) * 1000)::float8`)
    const { rows } = await sql<Running>`
      with due as materialized (
        select * from open_charge where money_due order by order_id limit ${most} for update skip locked
      )
      select
        due.order_id as id,
        due.reported_at::text as at,
        version.rules,
        o.held_paid_fen + o.held_gift_fen as "heldFen",
        coalesce(o.benefits, '[]') as benefits,
        ${ms('o.started_at')} as "startedMs",
        ${ms('app.message_time(o.id)')} as "atMs",
        ${ms('due.reported_at')} as "reportedMs",
        due.duration_s as "reportedS",
        due.energy_dwh as "reportedDwh",
        due.peak_power_dw as "peakPowerDw"
      from due
      join charging_order o on o.id = due.order_id
      left join tariff_version version on version.id = o.tariff_version_id`.execute(db)
    if (rows.length === 0) return commit(rows)
    const safe = rows.map(safeOf)
    await sql`
      update open_charge open
      set money_seen_at = seen.at, money_safe_dwh = seen.dwh, money_safe_s = seen.s
      from unnest(
        ${rows.map(({ id }) => id)}::bigint[],
        ${rows.map(({ at }) => at)}::timestamptz[],
        ${safe.map(({ energyDwh }) => energyDwh)}::int[],
        ${safe.map(({ durationS }) => durationS)}::int[]
      ) as seen (id, at, dwh, s)
      where open.order_id = seen.id`.execute(db)
    return commit(rows)
  })

/** The consumption below which no report needs a check. Without tariff rules nothing is billed, so the limit is the maximum. */
function safeOf(running: Running): { energyDwh: number; durationS: number } {
  if (running.rules === null) return { energyDwh: usageLimits.energyDwh, durationS: usageLimits.durationS }
  return safeUsage(running.rules, BigInt(running.heldFen), running.benefits)
}

function isNearEnd(running: Running): boolean {
  const { rules, benefits } = running
  if (rules === null) return false
  const usage = usageOf(running, lastReported(running))
  return usageProblem(usage) === undefined && mayBeExhausted(rules, usage, BigInt(running.heldFen), benefits)
}

const stopIfUsedUp = (pool: pg.Pool, log: Logger, id: string): Promise<void> =>
  inScope(pool, systemScope, 'record', async ({ db }) => {
    const order = await store.lockOrder(db, id)
    if (
      order?.status !== orderStatus.code.charging ||
      !order.open ||
      order.rules === null ||
      payerOf(order) === undefined
    )
      return commit(undefined)
    const samples = await store.samplesOf(db, id)
    const usage = { ...usageOf(order, lastReported(order)), samples }
    const reservedFen = order.heldPaidFen + order.heldGiftFen
    if (!isExhausted(order.rules, usage, reservedFen, order.benefits)) return commit(undefined)
    if (await store.isStopping(db, id)) return commit(undefined)
    const commandId = await enqueueCommand(db, {
      deviceId: order.deviceId,
      command: { kind: 'stopPort', port: order.portNo, orderNo: order.wireNo },
      whenOffline: whenOffline.code.wait,
      livesS: stopS,
      by: { userId: null, name: '系统' },
    })
    if (commandId === undefined) return commit(undefined)
    await store.recordStop(db, id, commandId)
    stoppedCharges.inc()
    log.info({ id }, 'charge stopped: funds exhausted')
    return commit(undefined)
  }).catch((error: unknown) => log.error({ err: error, id }, 'stop of an unfunded charge failed; will retry'))
