import type pg from 'pg'
import type { Logger } from 'pino'
import { Counter, Gauge } from 'prom-client'
import { inScope, commit } from '../../kit/db/db.ts'
import { systemScope } from '../../kit/db/system-scope.ts'
import { startWorkLoop } from '../../kit/jobs/work-loop.ts'
import { applyNotice, giveUpNotice } from './apply-notice.ts'
import { claimKeys } from './candidate-key.store.ts'
import type { Merchants } from './merchants.ts'
import { claimNotices, lockNotice, readStored, type WaitingNotice, waitingNotices } from './notice.store.ts'
import type { PayHooks } from './pay-hooks.ts'
import { claimPays, putBack } from './pay-order.store.ts'
import { claimRefunds } from './pay-refund.store.ts'
import { stepKey } from './step-key.ts'
import { stepNotice } from './step-notice.ts'
import { stepPay } from './step-pay.ts'
import { stepRefund } from './step-refund.ts'
import type { InTransaction, StepTools } from './step-tools.ts'

const steps = new Counter({ name: 'pay_steps_total', help: 'Steps of payments and refunds', labelNames: ['step'] })
const broken = new Gauge({
  name: 'pay_breakers_open',
  help: 'Merchants whose circuit breaker is open',
})
const pollMs = 500
/** Longer than the timeout of a provider, so that no other worker claims a row in progress. */
const leaseS = 30
const mostAtOnce = 48
/** Limit per merchant, so that one slow provider does not occupy all slots. */
const mostOfOne = 16

export type PayContext = { pool: pg.Pool; url: string; log: Logger; merchants: Merchants; hooks: PayHooks }

/**
 * Advances payments and refunds: sends them, queries their state, closes unpaid ones. The next step is stored in each row.
 * So several workers share the work, and a step lost in a crash is retried. A provider is never called inside a
 * transaction.
 */
export function movePayments(context: PayContext): () => Promise<void> {
  const { url, log } = context
  const atWork = new Map<Promise<void>, string>()

  const full = (): string[] => {
    const counts = Map.groupBy(atWork.values(), (merchantId) => merchantId)
    return [...counts].filter(([, own]) => own.length >= mostOfOne).map(([merchantId]) => merchantId)
  }

  function start(merchantId: string, work: Promise<void>): void {
    const own = work
      .catch((error: unknown) => log.error({ err: error, merchantId }, 'payment step failed; will retry'))
      .finally(() => {
        // Wakes the loop only if a row may wait for this slot; the end of a step creates no new work.
        const isAtLimit = atWork.size >= mostAtOnce || full().includes(merchantId)
        atWork.delete(own)
        broken.set(context.merchants.brokenCount())
        if (isAtLimit) loop.wake()
      })
    atWork.set(own, merchantId)
  }

  /** Claims and starts as many due steps as there are free slots. */
  async function takeDue(): Promise<number> {
    const most = Math.min(mostOfOne, mostAtOnce - atWork.size)
    if (most <= 0) return 0
    const due = await claim(context, most, [...full(), ...context.merchants.resting()])
    const early: Due[] = []
    // While a trial request of an open breaker is in flight, other steps of the merchant go back.
    for (const one of due)
      if (context.merchants.hasOpenBreaker(one.merchantId)) early.push(one)
      else start(one.merchantId, one.work())
    await giveBack(context, early)
    return due.length - early.length
  }

  const loop = startWorkLoop({
    url,
    channel: 'pay_work',
    pollMs,
    round: async () => (await takeDue()) + (await takeNotices(context)) > 0,
    log,
  })
  return async () => {
    await loop.stop()
    await Promise.all(atWork.keys())
  }
}

const stepOf = { pay_order: 'pay', pay_refund: 'refund', pay_notice: 'notice', pay_key: 'key' } as const
type Due = { merchantId: string; table: keyof typeof stepOf; id: string; work: () => Promise<void> }

async function giveBack(context: PayContext, early: readonly Due[]): Promise<void> {
  for (const [table, own] of Map.groupBy(early, (one) => one.table)) {
    // Notices and keys are few; they become due again when the lease ends.
    if (table === 'pay_notice' || table === 'pay_key') continue
    const ids = own.map(({ id }) => id)
    await within(context.pool)((db) => putBack(db, table, ids))
  }
}

/** Claims due rows for this worker and opens their merchants. */
const claim = (context: PayContext, most: number, busy: readonly string[]): Promise<Due[]> =>
  inScope(context.pool, systemScope, 'record', async ({ db }) => {
    const ask = { most, leaseS, busy }
    const pays = await claimPays(db, ask)
    const refunds = await claimRefunds(db, ask)
    const notices = await claimNotices(db, ask)
    const keys = await claimKeys(db, ask)
    const ids = [...pays, ...refunds, ...notices, ...keys].map(({ merchantId }) => merchantId)
    if (ids.length === 0) return commit([])
    const merchants = await context.merchants.open(db, ids)
    const dueOf = (
      table: Due['table'],
      { id, merchantId }: { id: string; merchantId: string },
      take: (tools: StepTools) => Promise<void>,
    ): Due[] => {
      const merchant = merchants.get(merchantId)
      if (merchant === undefined) return []
      const work = () => {
        steps.inc({ step: stepOf[table] })
        return take({ merchant, hooks: context.hooks, within: within(context.pool) })
      }
      return [{ merchantId, table, id, work }]
    }
    const candidates = await Promise.all(keys.map((key) => context.merchants.openCandidate(db, key)))
    return commit([
      ...pays.flatMap((pay) => dueOf('pay_order', pay, (tools) => stepPay(pay, tools))),
      ...refunds.flatMap((refund) => dueOf('pay_refund', refund, (tools) => stepRefund(refund, tools))),
      ...notices.flatMap((notice) =>
        dueOf('pay_notice', { id: notice.noticeId, merchantId: notice.merchantId }, (tools) =>
          stepNotice(notice, tools),
        ),
      ),
      ...keys.flatMap((key, at) => dueOf('pay_key', key, (tools) => stepKey(key, tools, candidates[at]))),
    ])
  })

const within =
  (pool: pg.Pool): InTransaction =>
  (work) =>
    inScope(pool, systemScope, 'record', async ({ db }) => commit(await work(db, systemScope)))

/** Applies notices that arrived before their payment. */
async function takeNotices(context: PayContext): Promise<number> {
  const waiting = await within(context.pool)((db) => waitingNotices(db, 50))
  let done = 0
  for (const notice of waiting) {
    const moved = await takeNotice(context, notice).catch((error: unknown) => {
      context.log.error({ err: error, notice: notice.noticeId }, 'payment notice failed; will retry')
      return false
    })
    if (moved) done++
  }
  return done
}

const takeNotice = (context: PayContext, waiting: WaitingNotice): Promise<boolean> =>
  within(context.pool)(async (db, scope) => {
    if (!(await lockNotice(db, waiting))) return false
    const merchant = (await context.merchants.open(db, [waiting.merchantId])).get(waiting.merchantId)
    if (merchant === undefined) return false
    const notice = readStored(waiting.content)
    const verdict = await applyNotice(db, scope, context.hooks, merchant, notice)
    if (verdict.is !== 'unknown') return true
    if (waiting.old) await giveUpNotice(db, scope, merchant, notice)
    return waiting.old
  })
