import { orderStatus } from '@wattdeck/contract/order/order-codes.ts'
import { whenOffline } from '@wattdeck/contract/product/device-command.ts'
import type { TariffRules } from '@wattdeck/domain/tariff/rules.ts'
import { mayRunOut, runsOut, safeUsage } from '@wattdeck/domain/tariff/running.ts'
import { usageLimits, usageProblem } from '@wattdeck/domain/tariff/usage.ts'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Logger } from 'pino'
import { Counter } from 'prom-client'
import { giveCommand } from '../devices/command.store.ts'
import { inScope, commit } from '../../kit/db/db.ts'
import { startEvery } from '../../kit/jobs/every.ts'
import { systemScope } from '../../kit/db/system-scope.ts'
import * as store from './order.store.ts'
import { payerOf } from './payer.ts'
import { lastHeard, usageOf } from './settle-order.ts'

const stoppedCharges = new Counter({
  name: 'charges_stopped_for_money_total',
  help: 'Charges that were stopped because the money put aside for them was used up',
})
const most = 500
const stopS = 60

type Running = {
  id: string
  /** When it was reported, exactly. */
  at: string
  rules: TariffRules | null
  heldFen: string
  startedMs: number
  atMs: number
  reportedMs: number
  reportedS: number
  reportedDwh: number
  peakPowerDw: number | null
}

/**
 * Ends charges whose money is used up. Devices are told a limit when they start, but not every device keeps it, and none
 * knows prices that change with the hour; beyond what was put aside nobody pays.
 */
export function watchMoney(pool: pg.Pool, log: Logger, everyMs = 2000): () => Promise<void> {
  const round = async () => (await watchMoneyOnce(pool, log)) === most
  return startEvery({ name: 'money watch', everyMs, round, log })
}

/** One round: looks at charges whose reports are beyond what their money lasts for in any case. Returns how many. */
export async function watchMoneyOnce(pool: pg.Pool, log: Logger): Promise<number> {
  const due = await claimDueCharges(pool)
  for (const { id } of due.filter(isNearEnd)) await stopIfUsedUp(pool, log, id)
  return due.length
}

/** Skips rows that are locked: a report is written to them, or another worker looks at them. So nothing waits here. */
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

/** Up to where no report needs a look. Without rules nothing is paid; a charge near its end is looked at with each report. */
function safeOf(running: Running): { energyDwh: number; durationS: number } {
  if (running.rules === null) return { energyDwh: usageLimits.energyDwh, durationS: usageLimits.durationS }
  return safeUsage(running.rules, BigInt(running.heldFen))
}

function isNearEnd(running: Running): boolean {
  const { rules } = running
  const usage = usageOf(running, lastHeard(running))
  return rules !== null && usageProblem(usage) === undefined && mayRunOut(rules, usage, BigInt(running.heldFen))
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
    const usage = { ...usageOf(order, lastHeard(order)), samples }
    if (!runsOut(order.rules, usage, order.heldPaidFen + order.heldGiftFen)) return commit(undefined)
    if (await store.isStopping(db, id)) return commit(undefined)
    const commandId = await giveCommand(db, {
      deviceId: order.deviceId,
      command: { kind: 'stopPort', port: order.portNo, orderNo: order.wireNo },
      whenOffline: whenOffline.code.wait,
      livesS: stopS,
      by: { userId: null, name: '系统' },
    })
    if (commandId === undefined) return commit(undefined)
    await store.noteStop(db, id, commandId)
    stoppedCharges.inc()
    log.info({ id }, 'charge stopped: funds exhausted')
    return commit(undefined)
  }).catch((error: unknown) => log.error({ err: error, id }, 'stop of an unfunded charge failed; will retry'))
