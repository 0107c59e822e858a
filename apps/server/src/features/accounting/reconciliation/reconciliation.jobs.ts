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
import { keepBill } from './bill.store.ts'
import { compareDay, type RunDay } from './keep-breaks.store.ts'
import * as store from './run.store.ts'

const found = new Counter({ name: 'recon_breaks_total', help: 'Differences that reconciliation has found' })
/** A bill that is not made yet, or did not come through, is asked for again soon, then for most of the day. */
const pausesS = [5, 30, 120]
const laterS = 600
const mostTries = 60

export type ReconContext = {
  pool: pg.Pool
  log: Logger
  merchants: Merchants
  /** Has a run done, after so many seconds. */
  send: (runId: string, afterS: number) => Promise<void>
}

/** Comparing a day of a large organisation reads all its payments. */
const compareMs = 20 * 60_000

const within = <T>(pool: pg.Pool, work: (db: Db) => Promise<T>, limitMs?: number): Promise<T> =>
  inScope(pool, systemScope, 'record', async ({ db }) => commit(await work(db)), limitMs)

/** Each morning: the day before, of everybody, and what of the last week still waits for its bill. */
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
 * One day of one merchant, or of the orders of an organisation. The provider is asked between transactions. Done twice it
 * finds the same; whatever dies in the middle is done again from the start.
 */
export async function runRecon(context: ReconContext, runId: string): Promise<void> {
  const run = await within(context.pool, (db) => store.startRun(db, runId))
  if (run === undefined) return
  if (run.merchantId !== null && !(await fetchBill(context, run))) return
  await compare(context, run)
  const before = run.merchantId === null ? undefined : await within(context.pool, (db) => store.runBefore(db, run))
  if (before !== undefined) await compare(context, before)
}

/** Whether the bill is here now. One that is not ready is no failure: it is asked for again later. */
async function fetchBill(context: ReconContext, run: RunDay & { tries: number }): Promise<boolean> {
  const { pool, merchants } = context
  const { merchantId, organiseId, day } = run
  if (merchantId === null) return true
  const merchant = (await within(pool, (db) => merchants.open(db, [merchantId]))).get(merchantId)
  const answer = await merchant?.provider?.bill(day)
  if (answer?.result === 'done') {
    await within(pool, (db) => keepBill(db, { organiseId, merchantId, day, lines: answer.lines }))
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
      if (compared.fresh > 0) await tellHolders(db, run, compared.fresh)
      return compared.fresh
    },
    compareMs,
  )
  found.inc(fresh)
  if (fresh > 0) log.warn({ run: run.id, day: run.day, fresh }, 'reconciliation found differences')
}

const tellHolders = (db: Db, { organiseId, day }: RunDay, fresh: number) =>
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
