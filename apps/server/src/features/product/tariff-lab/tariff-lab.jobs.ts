import type { Access } from '@wattdeck/contract/kit/route.ts'
import { tariffLab } from '@wattdeck/contract/product/tariff-lab.ts'
import { type LabTally, needsReadings, newTally } from '@wattdeck/domain/tariff/lab.ts'
import type pg from 'pg'
import type { Logger } from 'pino'
import { loadJobActor, mayAct } from '../../../kit/auth/job-actor.ts'
import { inScope, commit } from '../../../kit/db/db.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { systemScope } from '../../../kit/db/system-scope.ts'
import { addOrder, type PastOrder, storedResult, usageOf } from './tariff-lab.rules.ts'
import * as store from './tariff-lab.store.ts'

const most = 5000
/** Hours of orders per query, so that a statement stays short where few rows match. */
const windowHours = 12n
/** Number of orders whose readings are fetched at once: at most two million rows, usually some thousands. */
const readingsOf = 100
const noteEveryMs = 1000

/**
 * Prices past charges by a version. It reads in the scope of the requester, some thousand orders at a time, and writes only its progress:
 * after a crash the next worker restarts with the same result.
 */
export async function runLab(pool: pg.Pool, log: Pick<Logger, 'error'>, labId: string): Promise<void> {
  const run = await inScope(pool, systemScope, 'record', async ({ db }) => commit(await store.startRun(db, labId)))
  if (run === undefined) return
  const actor = await loadJobActor(pool, run.userId)
  if (actor === undefined || !mayAct(actor, tariffLab.start.access as Access))
    return fail(pool, labId, '您没有该操作的权限')
  try {
    const result = await priceAll(pool, actor.scope, run)
    await inScope(pool, systemScope, 'record', async ({ db }) => commit(await store.finishRun(db, labId, result)))
  } catch (error) {
    log.error({ err: error, labId }, 'tariff simulation failed')
    await fail(pool, labId, '系统错误，请稍后重试')
  }
}

const fail = (pool: pg.Pool, labId: string, reason: string): Promise<void> =>
  inScope(pool, systemScope, 'record', async ({ db }) => commit(await store.failRun(db, labId, reason)))

type Reading = { pool: pg.Pool; scope: Scope; run: store.Run; devices: readonly string[] }

async function priceAll(pool: pg.Pool, scope: Scope, run: store.Run) {
  const { devices, span } = await inScope(pool, scope, 'read', async ({ db }) =>
    commit({ devices: await store.devicesFor(db, run), span: await store.spanOf(db, run.days) }),
  )
  const tally = newTally()
  let skipped = 0
  const progress = noting(pool, run.id)
  if (devices.length > 0)
    for await (const { orders, reached } of batches({ pool, scope, run, devices }, span)) {
      skipped += await addOrders({ pool, scope, run, devices }, tally, orders)
      const permille = Number(((reached - span.from) * 1000n) / (span.to - span.from || 1n))
      await progress(Math.min(999, permille), tally.count)
    }
  return storedResult(tally, skipped)
}

type Batch = { orders: PastOrder[]; reached: bigint }

/** Orders by id. The next batch is fetched while the current one is priced. */
async function* batches(reading: Reading, span: { from: bigint; to: bigint; hour: bigint }): AsyncGenerator<Batch> {
  let next = readBatch(reading, span, span.from)
  for (;;) {
    const batch = await next
    const isLast = batch.reached >= span.to
    if (!isLast) {
      next = readBatch(reading, span, batch.reached)
      // The next iteration awaits it; until then this prevents an unhandled rejection.
      next.catch(() => undefined)
    }
    yield batch
    if (isLast) return
  }
}

async function readBatch(reading: Reading, span: { to: bigint; hour: bigint }, after: bigint): Promise<Batch> {
  const { pool, scope, run, devices } = reading
  const end = after + span.hour * windowHours
  const to = end < span.to ? end : span.to
  const { organiseId, rules } = run
  const slice = { organiseId, after, to, devices, most, occupancy: rules.occupancy !== null }
  const orders = await inScope(pool, scope, 'read', async ({ db }) => commit(await store.pastOrders(db, slice)))
  const last = orders.at(-1)
  return { orders, reached: orders.length === most && last !== undefined ? BigInt(last.id) : to }
}

/** Returns the number of orders that could not be priced. */
async function addOrders(reading: Reading, tally: LabTally, orders: readonly PastOrder[]): Promise<number> {
  const { rules } = reading.run
  const open: PastOrder[] = []
  let skipped = 0
  for (const order of orders) {
    const usage = usageOf(order)
    if (needsReadings(rules, usage)) open.push(order)
    else if (!addOrder(tally, rules, order, usage)) skipped++
  }
  for (let at = 0; at < open.length; at += readingsOf) {
    const some = open.slice(at, at + readingsOf)
    const ids = some.map(({ id }) => id)
    const samples = await inScope(reading.pool, reading.scope, 'read', async ({ db }) =>
      commit(await store.samplesOf(db, ids)),
    )
    for (const order of some) if (!addOrder(tally, rules, order, usageOf(order, samples.get(order.id)))) skipped++
  }
  return skipped
}

function noting(pool: pg.Pool, labId: string) {
  let notedMs = 0
  return async (reached: number, priced: number): Promise<void> => {
    if (Date.now() - notedMs < noteEveryMs) return
    notedMs = Date.now()
    await inScope(pool, systemScope, 'record', async ({ db }) =>
      commit(await store.noteProgress(db, labId, reached, priced)),
    )
  }
}

/** Old runs priced other charges than a run today would. */
export const removeOldLabs = (pool: pg.Pool): Promise<void> =>
  inScope(pool, systemScope, 'record', async ({ db }) => commit(await store.removeOldRuns(db)))
