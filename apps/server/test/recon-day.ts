import type { TestApi } from './api.ts'
import type { PayWorld, Trader } from './payments.ts'

/** A day of an organisation: so many recharges and charges, all four records of each as they should be. */
export type Day = Awaited<ReturnType<typeof makeDay>>
type Place = { id: string; subAgentId: string; siteId: string }
type Wish = { place: Place; deviceId: string; recharges: number; charges: number }

/** Numbers from here on are left for what a test plants by itself. */
export const ownNumbers = 1_000_000
/** The number that a row of a test has in every table: noon of the day before, and its place. */
const today = `(now() at time zone 'Asia/Shanghai')::date`
const yesterday = `((${today} - 1 + interval '12 hours') at time zone 'Asia/Shanghai')`
const idOf = `app.message_id(${yesterday})`
const keyAt = (id: string) =>
  `to_json(timestamptz 'epoch' + ((${id} >> 22) + 1735689600000) * interval '1 millisecond') #>> '{}'`

export async function makeDay(there: PayWorld, trader: Trader, { place, deviceId, recharges, charges }: Wish) {
  const { api, sandbox } = there
  const [base] = await api.sql<{ id: string; day: string; today: string }>(
    `select ${idOf}::text as id, (${today} - 1)::text as day, ${today}::text as today`,
  )
  const first = BigInt(base?.id ?? '0')
  const id = (n: number) => String(first + BigInt(n))
  const members = await api.sql<{ id: string }>(
    `insert into member (organise_id, nickname) select $1, '会员' || n from generate_series(1, 50) n returning id`,
    [place.id],
  )
  await api.sql(`create table if not exists recon_member as select 0::int as place, 0::bigint as id limit 0`)
  await api.sql(`insert into recon_member select n - 1, id from unnest($1::bigint[]) with ordinality as one (id, n)`, [
    members.map((member) => member.id),
  ])
  await addPayments(api, trader, place, { from: 1, to: recharges })
  await bookPayments(api, place, { from: 1, to: recharges })
  await holdForAll(api, place)
  await addCharges(api, place, deviceId, { from: 1, to: charges })
  await bookCharges(api, place, { from: 1, to: charges })
  await tellSandbox(there, trader)
  return { id, day: base?.day ?? '', today: base?.today ?? '', members: members.map((member) => member.id), sandbox }
}

type Span = { from: number; to: number }

/** Four in five are so small that the provider keeps nothing of them. */
export async function addPayments(
  api: TestApi,
  trader: Trader,
  place: Place,
  { from, to }: Span,
  { status = 2, at = yesterday } = {},
): Promise<void> {
  const paid = status === 2
  await api.sql(
    `insert into recharge_order (id, organise_id, target, member_id, pay_order_id, provider, amount_fen, status, paid_at, cancelled_at)
     select ${idOf} + n.n, $1, 1, recon_member.id, ${idOf} + n.n, 1, case when (n.n / 50) % 5 = 0 then 1000 + n.n % 97 else 50 + n.n % 30 end, $4, ${paid ? at : 'null'}, ${status === 3 ? at : 'null'}
     from generate_series($2::int, $3::int) as n (n) join recon_member on recon_member.place = n.n % 50`,
    [place.id, from, to, status],
  )
  await api.sql(
    `insert into pay_order (id, organise_id, merchant_id, provider, way, purpose, ref_id, member_id, amount_fen, fee_fen, profit_sharing, status, transaction_id,
       expires_at, created_at, paid_at, closed_at)
     select id, organise_id, $1, 1, 1, 2, id, member_id, amount_fen, ${paid ? 'round(amount_fen * 0.006)' : '0'}, false, status, ${paid ? "'42' || id" : 'null'},
       ${at}, ${at}, ${paid ? at : 'null'}, ${status === 3 ? at : 'null'}
     from recharge_order where id between ${idOf} + $2::int and ${idOf} + $3::int and organise_id = $4`,
    [trader.id, from, to, place.id],
  )
}

const bookPayments = (api: TestApi, place: Place, span: Span): Promise<void> =>
  postAll(
    api,
    `select 'pay/' || id || '/' || what as key, ${keyAt('id')} as "keyAt", kind, 'P' || id as ref, lines from pay_order,
       lateral (select 'paid' as what, 1 as kind, jsonb_build_array(jsonb_build_array(51, 1, -amount_fen), jsonb_build_array(1, member_id, amount_fen)) as lines
         union all select 'fee', 9, jsonb_build_array(jsonb_build_array(51, 1, fee_fen), jsonb_build_array(52, 1, -fee_fen)) where fee_fen > 0) made`,
    place,
    span,
  )

/** Everybody puts aside all that they have, so that each charge can be paid from it. */
const holdForAll = (api: TestApi, place: Place) =>
  api.sql(
    `select app.post(jsonb_agg(jsonb_build_object('key', 'hold/' || owner_id, 'keyAt', now(), 'organiseId', $1::bigint, 'agentId', null, 'siteId', null, 'kind', 3,
       'ref', 'H' || owner_id, 'memo', null, 'by', null, 'lines', jsonb_build_array(jsonb_build_array(1, owner_id, -balance_fen + 2000), jsonb_build_array(3, owner_id, balance_fen - 2000)))))
     from account where organise_id = $1 and kind = 1 and balance_fen > 2000`,
    [place.id],
  )

/** Each charge costs 10 fen of the 15 that were put aside for it. */
export async function addCharges(api: TestApi, place: Place, deviceId: string, { from, to }: Span): Promise<void> {
  await api.sql(
    `insert into charging_order (id, organise_id, agent_id, site_id, device_id, port_no, device_no, device_type_id, wire_no, member_id, start_mode, billing_type, status,
       limit_by, limit_value, held_paid_fen, started_at, ended_at, duration_s, energy_dwh, electricity_fen, service_fen, total_fen, paid_fen, settlement, settled_at)
     select ${idOf} + n.n, $1, $2, $3, device.id, 1, device.device_no, device.device_type_id, 'w' || n.n, recon_member.id, 1, 0, 3, 1, 15, 15, ${yesterday}, ${yesterday},
       600, 100, 6, 4, 10, 10, '{"kind":"settlement","energyWh":10,"durationS":600}', ${yesterday}
     from generate_series($5::int, $6::int) as n (n) join recon_member on recon_member.place = n.n % 50 join device on device.id = $4`,
    [place.id, place.subAgentId, place.siteId, deviceId, from, to],
  )
}

const bookCharges = (api: TestApi, place: Place, span: Span): Promise<void> =>
  postAll(
    api,
    `select 'order/' || id || '/bill' as key, ${keyAt('id')} as "keyAt", 5 as kind, id::text as ref, jsonb_build_array(jsonb_build_array(3, member_id, -15),
       jsonb_build_array(1, member_id, 5), jsonb_build_array(21, site_id, 6), jsonb_build_array(22, site_id, 4)) as lines from charging_order`,
    place,
    span,
  )

async function postAll(api: TestApi, made: string, place: Place, { from, to }: Span): Promise<void> {
  const most = 100
  for (let at = from; at <= to; at += most)
    await api.sql(
      `select count(*) from (select jsonb_agg(jsonb_build_object('key', key, 'keyAt', "keyAt", 'organiseId', $1::bigint, 'agentId', null, 'siteId', null, 'kind', kind,
         'ref', ref, 'memo', null, 'by', null, 'lines', lines)) as asked
       from (${made} where id between ${idOf} + $2::int and ${idOf} + $3::int and organise_id = $1) one) whole, lateral app.post(asked) where asked is not null`,
      [place.id, at, Math.min(to, at + most - 1)],
    )
}

/** What was paid, as the provider knows it. */
async function tellSandbox({ api, sandbox }: PayWorld, trader: Trader): Promise<void> {
  const rows = await api.sql<{ id: string; fen: string; paidMs: string }>(
    `select id, amount_fen as fen, (extract(epoch from paid_at) * 1000)::bigint as "paidMs" from pay_order where merchant_id = $1 and status = 2`,
    [trader.id],
  )
  for (const { id, fen, paidMs } of rows)
    addTrade(sandbox, trader, { id, fen: Number(fen), at: new Date(Number(paidMs)) })
}

export function addTrade(
  sandbox: PayWorld['sandbox'],
  trader: Trader,
  { id, fen, at }: { id: string; fen: number; at: Date },
) {
  const trade: PayWorld['sandbox']['trades'][number] = {
    provider: 'wechat',
    merchantNo: trader.merchantNo,
    subMerchantNo: undefined,
    appId: trader.appId,
    payNo: `P${id}`,
    transactionId: `42${id}`,
    fen,
    title: '充值',
    expiresAt: at,
    notifyUrl: undefined,
    profitSharing: false,
    way: 'code',
    openId: undefined,
    handle: `weixin://${id}`,
    state: 'SUCCESS',
    scanned: true,
    askedAt: at,
    paidAt: at,
    payer: 'oPayer',
    refunds: [],
  }
  sandbox.trades.push(trade)
  return trade
}

/** One posting more, as it should not be. */
export const bookOne = (
  api: TestApi,
  place: { id: string },
  wish: { key: string; kind: number; ref: string; lines: [number, string, number][] },
) =>
  api.sql(
    `select app.post(jsonb_build_array(jsonb_build_object('key', $2::text, 'keyAt', now(), 'organiseId', $1::bigint, 'agentId', null, 'siteId', null, 'kind', $3::int,
       'ref', $4::text, 'memo', null, 'by', null, 'lines', $5::jsonb)))`,
    [place.id, wish.key, wish.kind, wish.ref, JSON.stringify(wish.lines)],
  )
