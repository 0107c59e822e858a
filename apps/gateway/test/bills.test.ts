import { messageEpochMs, type UpItem } from '@wattdeck/contract/events/device-bus.ts'
import type { SettlementEvent } from '@wattdeck/device-protocol/message.ts'
import fc from 'fast-check'
import type pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { processEvents } from '../../server/src/core/charging/advance.jobs.ts'
import * as store from '../../server/src/core/charging/order.store.ts'
import { lastReported, settleOrder } from '../../server/src/core/charging/settle-order.ts'
import { reserveFunds } from '../../server/src/core/charging/start-order.ts'
import { isPortOccupied, takePort } from '../../server/src/core/charging/occupied-port.store.ts'
import { ingestEffects } from '../../server/src/app/ingest-effects.ts'
import { ingestInto } from '../../server/src/core/devices/ingest.jobs.ts'
import { createPool, inScope, commit } from '../../server/src/kit/db/db.ts'
import { scopeOf } from '../../server/src/kit/db/scope.ts'
import { startApi, type TestApi } from '../../server/test/harness/api.ts'
import { makePayer, makeStation } from '../../server/test/fixtures/charging.ts'
import { makeModels, type Models } from '../../server/test/fixtures/devices.ts'
import { makeFixture, type Fixture } from '../../server/test/harness/people.ts'
import { dnyRecord } from '../src/dny-record.ts'

/**
 * Property test: bills of one port, with and without number and time, repeated and late, each settle their own charge
 * once.
 */
let api: TestApi
let fixture: Fixture
let models: Models
let pool: pg.Pool
beforeAll(async () => {
  api = await startApi()
  fixture = await makeFixture(api)
  models = await makeModels(api)
  pool = createPool(api.config.workerDatabaseUrl, 4)
})
afterAll(() => pool.end())

const scope = scopeOf({ organiseId: '0', isPlatform: true, agentId: null, agentIds: [], siteId: null })
const port = 1
let counter = 0
const numberAt = (atMs: number) => String((BigInt(Math.round(atMs) - messageEpochMs) << 22n) | BigInt(++counter % 1024))
const means = () => ({ pool, log: pino({ level: 'silent' }) })

const isPortTaken = (deviceId: string): Promise<boolean> =>
  inScope(pool, scope, 'read', async ({ db }) => commit(await isPortOccupied(db, deviceId, port)))

/** Starts a charge of a platform order at a past time. */
const begin = (deviceId: string, memberId: string, atMs: number): Promise<string> =>
  inScope(pool, scope, 'record', async ({ db }) => {
    const startable = await store.findStartable(db, deviceId, port)
    if (startable === undefined) throw new Error('no port')
    const id = numberAt(atMs)
    const order = {
      id,
      port: startable,
      portNo: port,
      wireNo: id,
      memberId,
      startMode: 1,
      limit: { by: 4, value: 0 },
      held: { paidFen: 200n, giftFen: 0n },
      commandId: null,
      startedAtMs: atMs + 2000,
    }
    await takePort(db, order)
    await store.addOrder(db, order)
    await reserveFunds(db, order, startable.siteId, { kind: 'member', id: memberId })
    return commit(id)
  })

/** Ends the order without a bill, after the timeout, which frees its port. */
const abandon = (id: string): Promise<void> =>
  inScope(pool, scope, 'record', async ({ db }) => {
    const order = await store.lockOrder(db, id)
    if (order?.open === true) await settleOrder(db, order, lastReported(order), ['noBill'])
    return commit(undefined)
  })

const receive = async (item: UpItem) => {
  await ingestInto(pool, ingestEffects)([{ ...item, gateway: 9 }], Date.now())
  // Ages the events, so that the worker waits for no earlier ones.
  await api.sql("update charge_news set added_at = now() - interval '1 hour'")
  while ((await processEvents(means())) > 0);
}
const message = (deviceId: string, event: SettlementEvent, atMs: number): UpItem => {
  const id = numberAt(atMs)
  return { id, d: deviceId, o: id, e: event, r: dnyRecord(event, { messageId: counter }) }
}
type Row = { id: string; status: number; energyDwh: number | null; reasons: string[] | null; hasBill: boolean }
const ordersOf = (deviceId: string) =>
  api.sql<Row>(
    `select id, status, energy_dwh as "energyDwh", review_reasons as reasons, settlement is not null as "hasBill"
     from charging_order where device_id = $1 order by id`,
    [deviceId],
  )
const billOf = (durationS: number, energyWh: number, fields: Partial<SettlementEvent> = {}): SettlementEvent => ({
  kind: 'settlement',
  port,
  durationS,
  energyWh,
  maxPowerDw: 5000,
  stopReason: { name: 'full', raw: 1 },
  ...fields,
})

const rising = (one: number, other: number) => one - other

type Plan = {
  /** True for a platform order; otherwise the charge starts at the device. */
  isOrdered: boolean
  names: 'number' | 'clock' | 'none'
  durationS: number
  gapS: number
  lateS: number
  /** The platform ends the order before the late bill arrives. */
  isAbandoned: boolean
  /** Delay after the previous bill. The stream redelivers the same message; the device sends a new one. */
  repeats: { afterS: number; by: 'device' | 'stream' }[]
}
const plan: fc.Arbitrary<Plan> = fc
  .record({
    isOrdered: fc.boolean(),
    names: fc.constantFrom('number' as const, 'clock' as const, 'none' as const),
    durationS: fc.integer({ min: 60, max: 2400 }),
    gapS: fc.integer({ min: 200, max: 900 }),
    lateS: fc.constantFrom(0, 0, 30, 900, 5400),
    isAbandoned: fc.boolean(),
    repeats: fc.array(
      fc.record({
        afterS: fc.constantFrom(0, 15, 240, 1800, 3600),
        by: fc.constantFrom('device' as const, 'stream' as const),
      }),
      { maxLength: 3 },
    ),
  })
  // Without number, time and open order, a late bill cannot be distinguished from a bill of a running charge.
  .map((one) => ({
    ...one,
    lateS: one.names === 'none' && !one.isOrdered ? 0 : one.lateS,
    isAbandoned: one.isAbandoned && one.isOrdered && one.names !== 'none' && one.lateS > 60,
  }))

type Action = { atMs: number; act: () => Promise<void> }
type Expected = { energyDwh: number; orderId: string | undefined; end: 'billed' | 'noNumber' | 'noBill' }

const endOf = ({ names, lateS, isAbandoned }: Plan): Expected['end'] => {
  if (isAbandoned) return 'noBill'
  return names === 'none' && lateS > 120 ? 'noNumber' : 'billed'
}

/** Plays the charges in the order in which the platform receives their events. */
async function play(deviceId: string, memberId: string, plans: readonly Plan[]): Promise<Expected[]> {
  const actions: Action[] = []
  const expected: Expected[] = []
  let startMs = Date.now() - 20 * 3_600_000
  for (const [place, one] of plans.entries()) {
    const [beginMs, endMs] = [startMs, startMs + 2000 + one.durationS * 1000]
    const energyWh = 10 * (place + 1)
    const energyDwh = energyWh * 10
    let begun: { orderId: string | undefined } | undefined
    actions.push({
      atMs: beginMs,
      act: async () => {
        // No charge starts while the port is occupied.
        if (await isPortTaken(deviceId)) return
        const orderId = one.isOrdered ? await begin(deviceId, memberId, beginMs) : undefined
        begun = { orderId }
        if (orderId !== undefined) expected.push({ energyDwh, orderId, end: endOf(one) })
        // The order has already ended: a bill with its number is ignored, one without goes to review.
        if (orderId === undefined || (one.isAbandoned && one.names === 'clock'))
          expected.push({ energyDwh, orderId: undefined, end: 'billed' })
      },
    })
    if (one.isAbandoned)
      actions.push({
        atMs: endMs + 30_000,
        act: async () => {
          if (begun?.orderId !== undefined) await abandon(begun.orderId)
        },
      })
    const item = () =>
      message(
        deviceId,
        billOf(one.durationS, energyWh, {
          ...(one.names === 'number' ? { orderNo: begun?.orderId ?? `77${place}` } : {}),
          ...(one.names === 'clock' ? { deviceTimeS: Math.floor(endMs / 1000) } : {}),
        }),
        billMs,
      )
    let billMs = endMs + one.lateS * 1000
    let last: UpItem | undefined
    for (const { afterS, by } of [{ afterS: 0, by: 'device' as const }, ...one.repeats]) {
      billMs += afterS * 1000 + 1
      const atMs = billMs
      actions.push({
        atMs,
        act: async () => {
          if (begun === undefined) return
          billMs = atMs
          if (last === undefined || by === 'device') last = item()
          await receive(last)
        },
      })
    }
    startMs = endMs + one.gapS * 1000
  }
  for (const { act } of actions.toSorted((one, other) => one.atMs - other.atMs)) await act()
  return expected
}

describe('bills of a port', () => {
  it('settle their own charge once, despite missing fields, delays and repeats', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(plan, { minLength: 1, maxLength: 5 }), async (plans) => {
        const { deviceId } = await makeStation(api, fixture.green, models)
        const memberId = await makePayer(api, fixture.green.id, 100_000n)
        const expected = await play(deviceId, memberId, plans)
        const rows = await ordersOf(deviceId)
        const ordered = expected.filter(({ orderId }) => orderId !== undefined)
        for (const { orderId, energyDwh, end } of ordered)
          expect(rows.find(({ id }) => id === orderId)).toEqual({
            id: orderId,
            energyDwh: end === 'noBill' ? 0 : energyDwh,
            hasBill: end !== 'noBill',
            ...(end === 'billed' ? { status: 3, reasons: null } : { status: 5, reasons: [end] }),
          })
        const others = rows.filter(({ id }) => ordered.every(({ orderId }) => orderId !== id))
        expect(others.every(({ status, reasons }) => status === 5 && reasons?.includes('unknownOrder'))).toBe(true)
        expect(others.map(({ energyDwh }) => energyDwh ?? 0).toSorted(rising)).toEqual(
          expected.flatMap(({ orderId, energyDwh }) => (orderId === undefined ? energyDwh : [])).toSorted(rising),
        )
      }),
      { numRuns: 20 },
    )
    expect(await api.sql('select * from app.ledger_breaks() union all select * from app.order_breaks()')).toEqual([])
  })
})
