import { performance } from 'node:perf_hooks'
import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { completedOrder } from '@wattdeck/contract/order/completed-order.ts'
import { consumeOrder } from '@wattdeck/contract/order/consume-order.ts'
import { orderReview } from '@wattdeck/contract/order/order-review.ts'
import { unfinishedOrder } from '@wattdeck/contract/order/unfinished-order.ts'
import { testConfig } from '../../apps/server/test/harness/config.ts'
import { startApiProcess } from '../../apps/server/test/harness/process.ts'
import {
  asSuperuser,
  databaseExists,
  dropDatabase,
  ensureDatabase,
  ensureRoles,
  migrate,
} from '../../tools/ops/database.ts'
import { startFileSandbox } from '../../tools/dev/file-sandbox.ts'
import { ensureReferenceData } from '../../apps/server/src/seed/reference-data.ts'
import { messageIdAt } from '../../apps/server/src/features/_shared/message-id.ts'
import { fillOrders } from '../fixtures/orders-fill.ts'
import { openBenchSession, p95, tenantsWithAdmin } from '../fixtures/tenants.ts'

const database = 'wattdeck_bench_orders'
const sizes = { small: 100_000, large: Number(process.env['BENCH_ORDERS'] ?? '10000000') }
const calls = Number(process.env['BENCH_CALLS'] ?? '100')
const pageSize = 20
/** BENCH_KEEP=1 keeps the filled database and reuses it. */
const keep = process.env['BENCH_KEEP'] === '1'

type Query = Record<string, string>
type Case = { name: string; route: AnyRoute; queries: [few: Query, many: Query] }

/** Order lists of a tenant with ten million orders against one with a hundred thousand, in alternating calls. */
export async function benchOrders(): Promise<void> {
  const tokens = await prepare()
  const files = await startFileSandbox()
  const config = testConfig(database)
  config.files.endpoint = files.endpoint
  const api = await startApiProcess(config)
  const get = async (token: string, route: AnyRoute, query: Query) => {
    const search = new URLSearchParams(query)
    const started = performance.now()
    const reply = await fetch(`${api.url}${route.path}?${search.toString()}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const body = (await reply.json()) as {
      message: string
      data: { rows?: { id: string; deviceNo: string }[]; cursor: string | null; count?: number }
    }
    if (!reply.ok) throw new Error(`${route.path} ${search.toString()}: ${body.message}`)
    return { ms: performance.now() - started, ...body.data }
  }
  try {
    let worst = 0
    for (const { name, route, queries } of await casesOf(get, tokens)) {
      const times: number[][] = [[], []]
      const found = new Set<number | undefined>()
      for (let round = -10; round < calls; round++) {
        // Alternating, so that other load on the machine affects both.
        for (const [which, query] of queries.entries()) {
          const { ms, rows } = await get(tokens[which] ?? '', route, { pageSize: String(pageSize), ...query })
          found.add(rows?.length)
          if (round >= 0) times[which]?.push(ms)
        }
      }
      // A partial page is faster than a full one, and an empty page the fastest.
      if (found.size !== 1 || found.has(0)) throw new Error(`${name} finds ${[...found].join(' and ')} rows`)
      const [few = 0, many = 0] = times.map((list) => p95(list))
      worst = Math.max(worst, many / few)
      console.log(
        `${name.padEnd(28)} p95 ${few.toFixed(1)} ms of ${sizes.small}, ${many.toFixed(1)} ms of ${sizes.large}: ${(many / few).toFixed(2)}`,
      )
    }
    console.log(`orders, ${pageSize} rows a page, ${calls} calls each: worst ratio ${worst.toFixed(2)} (goal 1.5)`)
    await addUp(get, tokens)
  } finally {
    await api.stop()
    await files.stop()
    if (!keep) await dropDatabase(database)
  }
}

type Get = (
  token: string,
  route: AnyRoute,
  query: Query,
) => Promise<{ ms: number; cursor: string | null; count?: number; rows?: { id: string; deviceNo: string }[] }>

/** A sum reads every order that it adds up: its time is reported, not compared. */
async function addUp(get: Get, tokens: readonly string[]): Promise<void> {
  for (const [which, token] of tokens.entries()) {
    const times: number[] = []
    let found = 0
    for (let round = 0; round < 10; round++) {
      const { ms, count = 0 } = await get(token, consumeOrder.totals, { from: day(40), to: day(10) })
      times.push(ms)
      found = count
    }
    console.log(
      `sum of a month, ${which === 0 ? 'small' : 'large'}: p95 ${p95(times).toFixed(0)} ms over ${found} orders`,
    )
  }
}

const cursorAt = (atMs: number) => Buffer.from(JSON.stringify([9, messageIdAt(atMs)])).toString('base64url')
const day = (ago: number) => new Date(Date.now() + 8 * 3_600_000 - ago * 86_400_000).toISOString().slice(0, 10)

/** The first page, a middle page, and every filter, of each list. */
async function casesOf(get: Get, [few = '', many = '']: string[]): Promise<Case[]> {
  // The cursor at half a year: a reader reaches it page by page (keyset pagination).
  const middle = { skipCount: 'true', pageNum: '9', cursor: cursorAt(Date.now() - 180 * 86_400_000) }
  const one = async (token: string) =>
    (await get(token, consumeOrder.list, { pageSize: '1', pageNum: '100' })).rows?.[0] ?? { id: '', deviceNo: '' }
  const [small, large] = [await one(few), await one(many)]
  const all = consumeOrder.list
  const both = (name: string, query: Query, route: AnyRoute = all): Case => ({ name, route, queries: [query, query] })
  return [
    both('first page', {}),
    both('page in the middle', middle),
    ...['createdAt', '-createdAt'].map((sort) => both(`by ${sort}`, { sort })),
    both('status, by createdAt', { status: '3', sort: 'createdAt' }),
    { name: 'number', route: all, queries: [{ orderNo: small.id }, { orderNo: large.id }] },
    { name: 'phone', route: all, queries: [{ phone: '13800000100' }, { phone: '13800003000' }] },
    { name: 'device', route: all, queries: [{ deviceNo: small.deviceNo }, { deviceNo: large.deviceNo }] },
    { name: 'agent', route: all, queries: [{ agentId: '1' }, { agentId: '2' }] },
    { name: 'site', route: all, queries: [{ siteId: '3' }, { siteId: '33' }] },
    both('type, rare', { deviceTypeId: '992' }),
    both('start mode, common', { startMode: '5' }),
    both('start mode, rare', { startMode: '4' }),
    both('status, common', { status: '3' }),
    both('status, rare', { status: '5' }),
    both('last week', { from: day(7), to: day(0) }),
    both('a week last winter', { from: day(300), to: day(294) }),
    both('status, mode and month', { status: '4', startMode: '5', from: day(100), to: day(70) }),
    both('completed, first page', {}, completedOrder.list),
    both('completed, a day', { from: day(200), to: day(200) }, completedOrder.list),
    both('unfinished', {}, unfinishedOrder.list),
    both('unfinished, offline', { mark: 'offline' }, unfinishedOrder.list),
    both('review', {}, orderReview.list),
    both('review, reason', { reason: 'late' }, orderReview.list),
  ]
}

async function prepare(): Promise<string[]> {
  await ensureRoles()
  if (keep && (await databaseExists(database)))
    return asSuperuser(database, async (client) => [
      await openBenchSession(client, 1, 2),
      await openBenchSession(client, 2, 3),
    ])
  await dropDatabase(database)
  await ensureDatabase(database)
  await migrate(database)
  return asSuperuser(database, async (client) => {
    await ensureReferenceData(client)
    const tokens = await tenantsWithAdmin(client)
    const started = performance.now()
    await fillOrders(client, sizes)
    console.log(`filled in ${Math.round((performance.now() - started) / 1000)} s`)
    return tokens
  })
}
