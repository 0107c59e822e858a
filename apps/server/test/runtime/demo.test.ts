import { postingKind } from '@wattdeck/contract/accounting/ledger-codes.ts'
import { chargingOrder } from '@wattdeck/contract/order/charging-order.ts'
import { consumeOrder } from '@wattdeck/contract/order/consume-order.ts'
import { orderStatus } from '@wattdeck/contract/order/order-codes.ts'
import { login } from '@wattdeck/contract/auth/login.ts'
import { readBill } from '@wattdeck/domain/tariff/bill-json.ts'
import { price } from '@wattdeck/domain/tariff/price.ts'
import type { TariffRules } from '@wattdeck/domain/tariff/rules.ts'
import type { Usage } from '@wattdeck/domain/tariff/usage.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { asSuperuser } from '../../../../tools/ops/database.ts'
import { ensureDemoData } from '../../../../tools/demo/demo-data.ts'
import { demoAccounts, demoPassword } from '../../../../tools/demo/demo-people.ts'
import { refuseDemoAccounts } from '../../src/kit/ops/exposure.ts'
import { allBreaks } from '../fixtures/payments.ts'
import { startApi, type TestApi } from '../harness/api.ts'

/** The demo data follows the product: its figures of orders and money equal what the product computes. */
let api: TestApi
let token: string
const seed = () =>
  asSuperuser(api.database, async (client) => {
    await client.query('set role wattdeck_owner')
    await ensureDemoData(client, api.deps.vault)
  })
beforeAll(async () => {
  api = await startApi()
  await seed()
  const { data } = await api.call(undefined, login.byPassword, {
    body: { loginName: 'green', password: demoPassword },
  })
  token = data.access_token
})

type Billed = Usage & { id: string; rules: TariffRules; bill: unknown; held: string }
const counts = () =>
  api.sql(`select (select count(*) from charging_order) as orders, (select count(*) from charge_sample) as samples, (select count(*) from posting) as postings,
    (select count(*) from entry) as entries, (select count(*) from device_message) as messages, (select count(*) from device_command) as commands,
    (select sum(consumed_fen + recharged_fen) from member) as counted, (select sum(balance_fen) from account) as balances`)

describe('the demo data', () => {
  it('[attack.L10] stops the start where others can reach the server, and names each demo account', async () => {
    const refusal = await refuseDemoAccounts(api.deps.pool).catch(String)
    for (const { loginName } of demoAccounts) expect(refusal).toMatch(new RegExp(`[ ,]${loginName}[,;]`))
  })

  it('has orders of every kind in each of its organisations', async () => {
    const rows = await api.sql<{ organise: number; status: number; n: number }>(
      'select organise_id::int as organise, status, count(*)::int as n from charging_order group by 1, 2',
    )
    const { charging, billed, released, review } = orderStatus.code
    for (const organise of [2, 3, 4])
      for (const status of [charging, billed, released, review])
        expect(rows.find((row) => row.organise === organise && row.status === status)?.n ?? 0).toBeGreaterThan(0)
    const total = rows.reduce((sum, { n }) => sum + n, 0)
    expect(total).toBeGreaterThanOrEqual(300)
    expect(total).toBeLessThanOrEqual(600)
    expect(rows.filter(({ status }) => status === billed).reduce((sum, { n }) => sum + n, 0) / total).toBeGreaterThan(
      0.8,
    )
  })

  it('posts them without ledger contradictions, and reserves exactly the amounts of open orders', async () => {
    expect(await allBreaks(api)).toEqual([])
    const mismatches = await api.sql(
      `select coalesce(account.organise_id, wanted.organise_id) as organise, coalesce(account.fen, 0) - coalesce(wanted.fen, 0) as difference
       from (select organise_id, sum(balance_fen) as fen from account where kind in (3, 4) group by 1) account
       full join (select organise_id, sum(held_paid_fen + held_gift_fen) as fen from charging_order where status in (1, 2, 5) group by 1) wanted
         on wanted.organise_id = account.organise_id order by 1`,
    )
    expect(mismatches).toEqual(['2', '3', '4'].map((organise) => ({ organise, difference: '0' })))
    const misbooked = await api.sql(
      `select o.id from charging_order o where status in (3, 4) and row(o.electricity_fen, o.service_fen, o.occupancy_fen, o.total_fen) is distinct from (
         select row(coalesce(sum(amount_fen) filter (where account.kind = 21), 0)::bigint, coalesce(sum(amount_fen) filter (where account.kind = 22), 0)::bigint,
           coalesce(sum(amount_fen) filter (where account.kind = 23), 0)::bigint, coalesce(-sum(amount_fen) filter (where account.kind between 1 and 4), 0)::bigint)
         from entry join account on account.id = account_id where entry.ref = o.id::text and entry.organise_id = o.organise_id and entry.kind <> ${postingKind.code.refund})`,
    )
    expect(misbooked).toEqual([])
    const miscounted = await api.sql(
      `select member.id from member where id < 1000 and consumed_fen <> (select coalesce(sum(total_fen), 0) from charging_order where member_id = member.id)`,
    )
    expect(miscounted).toEqual([])
  })

  it('bills each order by the tariff at its start, from the usage that the device reported', async () => {
    const billed = await api.sql<Billed>(
      `select o.id, version.rules, o.bill, held_paid_fen + held_gift_fen as held, duration_s as "durationS", energy_dwh as "energyDwh", peak_power_dw as "peakPowerDw",
         round(extract(epoch from started_at) * 1000)::float8 as "startMs", round(extract(epoch from ended_at) * 1000)::float8 as "endMs",
         coalesce((select jsonb_agg(jsonb_build_object('atMs', round(extract(epoch from at) * 1000), 'energyDwh', sample.energy_dwh, 'powerDw', power_dw) order by at)
           from charge_sample sample where order_id = o.id), '[]') as samples
       from charging_order o join tariff_version version on version.id = tariff_version_id where status = 3`,
    )
    for (const { id, rules, bill, held: reservedFen, ...usage } of billed)
      expect(readBill(bill), id).toEqual(price(rules, usage, { heldFen: BigInt(reservedFen) }))
    const lines = new Set(billed.flatMap(({ bill }) => readBill(bill).lines.map(({ kind }) => kind)))
    expect([...lines].toSorted()).toEqual(['electricity', 'energy', 'power', 'time'])
  })

  it('lets only online devices charge, with one member and one port at a time', async () => {
    expect(
      await api.sql('select order_id from open_charge join device on device.id = device_id where not device.online'),
    ).toEqual([])
    const overlapping = (column: string) =>
      api.sql(`select id from (select id, started_at, lag(coalesce(ended_at, now())) over (partition by ${column} order by started_at) as before
        from charging_order where started_at is not null and member_id is not null) known where before > started_at`)
    expect(await overlapping('member_id')).toEqual([])
    expect(await overlapping('device_id, port_no')).toEqual([])
  })

  it('shows an order with its curve, its price and its money', async () => {
    const { data } = await api.call(token, consumeOrder.list, {
      query: { status: orderStatus.code.billed, pageSize: 50 },
    })
    // An order that ends before the first report of its device has no curve.
    const params = { id: data.rows.find(({ durationS }) => (durationS ?? 0) > 1800)?.id ?? '' }
    const order = await api.call(token, chargingOrder.read, { params })
    expect(order.data.explanation.at(-1)).toContain(`应付 ${order.data.total} 元`)
    expect((await api.call(token, chargingOrder.curve, { params })).data.length).toBeGreaterThan(0)
    const postings = await api.call(token, chargingOrder.postings, { params })
    expect(postings.data.map(({ kind }) => kind)).toEqual([3, 5])
  })

  it('adds nothing when run again', async () => {
    const before = await counts()
    await seed()
    expect(await counts()).toEqual(before)
  })
})

describe('the demo city', () => {
  const seedCity = (there: TestApi) =>
    asSuperuser(there.database, async (client) => {
      await client.query('set role wattdeck_owner')
      await ensureDemoData(client, there.deps.vault, { cityPerDay: 20 })
    })

  it('is a business of forty sites with consistent money, alarms and refunds, and is created once', async () => {
    const there = await startApi()
    await seedCity(there)
    const figures = `select (select count(*) from charging_order where organise_id = 5)::int as orders,
      (select count(distinct site_id) from charging_order where organise_id = 5)::int as sites,
      (select count(*) from open_charge where organise_id = 5)::int as open,
      (select count(*) from alarm where organise_id = 5 and status < 3)::int as unclosed,
      (select count(*) from repair_ticket where organise_id = 5)::int as tickets,
      (select count(*) from refund_order where organise_id = 5)::int as refunds`
    const [totals] = await there.sql<Record<string, number>>(figures)
    expect(totals).toMatchObject({ sites: 40, open: 30 })
    expect(totals?.['orders']).toBeGreaterThan(400)
    for (const name of ['unclosed', 'tickets', 'refunds']) expect(totals?.[name], name).toBeGreaterThan(0)
    expect(await allBreaks(there)).toEqual([])
    // Each follows its cause: a charge its registration, a refund its charge, a decision its refund.
    const early = await there.sql(
      `select refund.id from refund_order refund join charging_order bill on bill.id = refund.order_id
       where refund.organise_id = 5 and (refund.created_at < bill.settled_at or refund.decided_at < refund.created_at or refund.created_at > now())`,
    )
    expect(early).toEqual([])
    const before = await there.sql(
      `select o.id from charging_order o join member on member.id = o.member_id
       where o.organise_id = 5 and app.message_time(o.id) < member.registered_at`,
    )
    expect(before).toEqual([])
    await seedCity(there)
    expect(await there.sql(figures)).toEqual([totals])
  })
})
