import { orderStatus } from '@wattdeck/contract/order/order-codes.ts'
import { whenOffline } from '@wattdeck/contract/product/device-command.ts'
import type { TariffRules } from '@wattdeck/domain/tariff/rules.ts'
import { mayRunOut, runsOut } from '@wattdeck/domain/tariff/running.ts'
import { usageProblem } from '@wattdeck/domain/tariff/usage.ts'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Logger } from 'pino'
import { Counter } from 'prom-client'
import { giveCommand } from '../devices/command.store.ts'
import { inScope, keep } from '../kit/db.ts'
import { systemScope } from '../kit/system-scope.ts'
import * as store from './order.store.ts'
import { payerOf } from './payer.ts'
import { lastHeard, usageOf } from './settle-order.ts'

const stopped = new Counter({
  name: 'charges_stopped_for_money_total',
  help: 'Charges that were stopped because the money put aside for them was used up',
})
const most = 500
const stopS = 60

/** A report that was looked at: when it came, exactly, and of which order. */
type Place = { at: string; id: string }
type Running = Place & {
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
 * knows prices that change with the hour; beyond what was put aside nobody pays. Looks at what was reported since the
 * last look. Workers take turns: whoever did not look for a while looks at all of it again, which does no harm.
 */
export function watchMoney(pool: pg.Pool, log: Logger, everyMs = 2000): () => Promise<void> {
  let seen: Place = { at: '-infinity', id: '0' }
  let ended = false
  let looking = Promise.resolve()
  const look = async () => {
    for (let full = true; full && !ended;) {
      const reports = await reportedSince(pool, seen)
      const last = reports.at(-1)
      if (last !== undefined) seen = { at: last.at, id: last.id }
      full = reports.length === most
      for (const { id } of reports.filter(isNearEnd)) await stopIfUsedUp(pool, log, id)
    }
  }
  let busy = false
  const timer = setInterval(() => {
    if (busy) return
    busy = true
    looking = look()
      .catch((error: unknown) => log.error({ err: error }, 'money of charges not watched, will look again'))
      .finally(() => {
        busy = false
      })
  }, everyMs)
  return async () => {
    ended = true
    clearInterval(timer)
    await looking
  }
}

/** No index on the time of a report: it would make every report dearer, and no more charges are open than there are ports. */
const reportedSince = (pool: pg.Pool, { at, id }: Place): Promise<Running[]> =>
  inScope(pool, systemScope, 'record', async ({ db }) => {
    const { rows: turn } = await sql<{
      mine: boolean
    }>`select pg_try_advisory_xact_lock(hashtext('watch_money')) as mine`.execute(db)
    if (turn[0]?.mine !== true) return keep([])
    const ms = (column: string) => sql.raw(`(extract(epoch from ${column}) * 1000)::float8`)
    const { rows } = await sql<Running>`
      select open.order_id as id, open.reported_at::text as at, version.rules, o.held_paid_fen + o.held_gift_fen as "heldFen",
        ${ms('o.started_at')} as "startedMs", ${ms('app.message_time(o.id)')} as "atMs", ${ms('open.reported_at')} as "reportedMs",
        open.duration_s as "reportedS", open.energy_dwh as "reportedDwh", open.peak_power_dw as "peakPowerDw"
      from (select * from open_charge where (reported_at, order_id) > (${at}::timestamptz, ${id}::bigint)
        order by reported_at, order_id limit ${most}) open
      join charging_order o on o.id = open.order_id left join tariff_version version on version.id = o.tariff_version_id
      order by open.reported_at, open.order_id`.execute(db)
    return keep(rows)
  })

function isNearEnd(running: Running): boolean {
  const { rules } = running
  const usage = usageOf(running, lastHeard(running))
  return rules !== null && usageProblem(usage) === undefined && mayRunOut(rules, usage, BigInt(running.heldFen))
}

const stopIfUsedUp = (pool: pg.Pool, log: Logger, id: string): Promise<void> =>
  inScope(pool, systemScope, 'record', async ({ db }) => {
    const order = await store.lockOrder(db, systemScope, id)
    if (
      order?.status !== orderStatus.code.charging ||
      !order.open ||
      order.rules === null ||
      payerOf(order) === undefined
    )
      return keep(undefined)
    const samples = await store.samplesOf(db, systemScope, id)
    const usage = { ...usageOf(order, lastHeard(order)), samples }
    if (!runsOut(order.rules, usage, order.heldPaidFen + order.heldGiftFen)) return keep(undefined)
    if (await store.isStopping(db, systemScope, id)) return keep(undefined)
    const commandId = await giveCommand(db, systemScope, {
      deviceId: order.deviceId,
      command: { kind: 'stopPort', port: order.portNo, orderNo: order.wireNo },
      whenOffline: whenOffline.code.wait,
      livesS: stopS,
      by: { userId: null, name: '系统' },
    })
    if (commandId === undefined) return keep(undefined)
    await store.noteStop(db, systemScope, id, commandId)
    stopped.inc()
    log.info({ id }, 'a charge is stopped: its money is used up')
    return keep(undefined)
  }).catch((error: unknown) => log.error({ err: error, id }, 'a charge without money could not be stopped'))
