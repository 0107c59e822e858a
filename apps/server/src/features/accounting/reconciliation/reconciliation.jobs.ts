import { breakStatus } from '@wattdeck/contract/accounting/recon-codes.ts'
import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { popupType } from '@wattdeck/contract/auth/notification.ts'
import type pg from 'pg'
import type { Logger } from 'pino'
import { Counter } from 'prom-client'
import { type Db, inScope, commit } from '../../../kit/db/db.ts'
import { notifyHolders } from '../../../kit/events/notify-holders.ts'
import { publishToOrganisation } from '../../../kit/events/outbox.ts'
import { systemScope } from '../../../kit/db/system-scope.ts'
import type { Merchants } from '../../../core/payments/merchants.ts'
import { saveBill } from './bill.store.ts'
import { compareDay, type RunDay } from './keep-breaks.store.ts'
import * as store from './run.store.ts'

const breaksTotal = new Counter({ name: 'recon_breaks_total', help: 'Differences found by reconciliation' })
/** Retry delays for a bill that is not available. Later retries follow every 10 minutes, up to 60 tries. */
const pausesS = [5, 30, 120]
const laterS = 600
const mostTries = 60

export type ReconContext = {
  pool: pg.Pool
  log: Logger
  merchants: Merchants
  /** Enqueues a run after a delay in seconds. */
  send: (runId: string, afterS: number) => Promise<void>
}

/** The comparison for a large organisation reads all its payments of a day. */
const compareMs = 20 * 60_000

const within = <T>(pool: pg.Pool, work: (db: Db) => Promise<T>, limitMs?: number): Promise<T> =>
  inScope(pool, systemScope, 'record', async ({ db }) => commit(await work(db)), limitMs)

/** Each morning: plans the previous day of all organisations, and unfinished runs of the last week. */
export async function planMorning({ pool, send }: ReconContext): Promise<void> {
  const runs = await within(pool, async (db) => {
    const day = await store.yesterday(db)
    const planned: string[] = await store.unfinishedRuns(db)
    for (const organiseId of await store.organisesOf(db, day))
      planned.push(...(await store.planDay(db, { day, organiseId, by: null })))
    return planned
  })
  for (const runId of runs) await send(runId, 0)
}

/**
 * Reconciles one day of one merchant, or of the orders of an organisation. The provider is called between transactions.
 * The job is idempotent, so a run that fails halfway restarts from the beginning.
 */
export async function runRecon(context: ReconContext, runId: string): Promise<void> {
  const run = await within(context.pool, (db) => store.startRun(db, runId))
  if (run === undefined) return
  if (run.merchantId !== null && !(await fetchBill(context, run))) return
  await compare(context, run)
  const before = run.merchantId === null ? undefined : await within(context.pool, (db) => store.runBefore(db, run))
  if (before !== undefined) await compare(context, before)
}

/** Returns whether the bill is available. A bill that is not ready is no failure: the job retries later. */
async function fetchBill(context: ReconContext, run: RunDay & { tries: number }): Promise<boolean> {
  const { pool, merchants } = context
  const { merchantId, organiseId, day } = run
  if (merchantId === null) return true
  const merchant = (await within(pool, (db) => merchants.open(db, [merchantId]))).get(merchantId)
  const answer = await merchant?.provider?.bill(day)
  if (answer?.result === 'done') {
    await within(pool, (db) => saveBill(db, { organiseId, merchantId, day, lines: answer.lines }))
    return true
  }
  const final = answer?.result === 'refused' || run.tries >= mostTries
  const words = answer === undefined ? '商户没有可用的密钥' : wordsOf(answer)
  await within(pool, (db) => store.failRun(db, run.id, { words, final }))
  if (!final) await context.send(run.id, pausesS[run.tries - 1] ?? laterS)
  return false
}

const wordsOf = (answer: { result: 'refused'; words: string } | { result: 'unknown'; why: string }) =>
  answer.result === 'refused' ? `渠道拒绝提供账单：${answer.words}` : '渠道账单尚未就绪，稍后自动重试'

async function compare({ pool, log }: ReconContext, run: RunDay): Promise<void> {
  const fresh = await within(
    pool,
    async (db) => {
      await store.lockRun(db, run.id)
      const compared = await compareDay(db, run)
      await store.finishRun(db, run.id, compared)
      const place = { organise_id: run.organiseId, agent_id: null, site_id: null }
      await publishToOrganisation(db, place, { kind: 'changed', list: 'reconciliation' })
      if (compared.fresh > 0) await notifyEditors(db, run, compared.fresh)
      return compared.fresh
    },
    compareMs,
  )
  breaksTotal.inc(fresh)
  if (fresh > 0) log.warn({ run: run.id, day: run.day, fresh }, 'reconciliation found differences')
}

const notifyEditors = (db: Db, { organiseId, day }: RunDay, fresh: number) =>
  notifyHolders(
    db,
    systemScope,
    {
      place: { organise_id: organiseId, agent_id: null, site_id: null },
      grant: { menu: menuKey.reconciliation, action: 'edit' },
      except: '0',
    },
    {
      type: popupType.code.platformWarning,
      title: '对账发现差异',
      body: `${day} 新发现 ${fresh} 笔差异，处理完成前暂停结算`,
      route: `/accounting/reconciliation?status=${breakStatus.code.open}&from=${day}&to=${day}`,
    },
  )
