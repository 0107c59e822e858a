import { accountKind, channel, postingKind } from '@wattdeck/contract/accounting/ledger-codes.ts'
import type pg from 'pg'

/** Cash taken at the desk. `hours` ago; 1 waiting, 2 approved, 3 rejected, 4 withdrawn. */
const recharges = [
  { id: 1, shift: 1, member: 1, fen: 10_000, gift: 1000, status: 2, hours: 76, by: 'green', remark: '门店前台' },
  { id: 2, shift: 2, member: 4, fen: 5000, gift: 500, status: 2, hours: 51, by: 'agent', remark: null },
  { id: 3, shift: 1, card: 2, fen: 20_000, gift: 2000, status: 2, hours: 28, by: 'green', remark: '收据0023' },
  { id: 4, shift: 1, member: 8, fen: 30_000, gift: 0, status: 3, hours: 27, by: 'green', remark: null },
  { id: 5, shift: 1, member: 2, fen: 3000, gift: 0, status: 4, hours: 26, by: 'green', remark: '用户改用微信支付' },
  { id: 6, shift: 4, member: 1, fen: 5000, gift: 500, status: 2, hours: 5, by: 'agent', remark: null },
  { id: 7, shift: 4, member: 8, fen: 10_000, gift: 1000, status: 1, hours: 3, by: 'agent', remark: '门店前台' },
  { id: 8, shift: 4, card: 3, fen: 5000, gift: 500, status: 1, hours: 2, by: 'agent', remark: '收据0024' },
  { id: 9, shift: 3, member: 4, fen: 2000, gift: 0, status: 1, hours: 1, by: 'green', remark: null },
  { id: 10, shift: 2, card: 1, fen: 5000, gift: 0, status: 2, hours: 98, by: 'agent', remark: '收据0019' },
  { id: 11, shift: 1, card: 4, fen: 10_000, gift: 1000, status: 2, hours: 73, by: 'green', remark: '收据0021' },
  { id: 12, shift: 2, card: 2, fen: 3000, gift: 0, status: 2, hours: 49, by: 'agent', remark: null },
  { id: 13, shift: 1, card: 1, fen: 10_000, gift: 1000, status: 2, hours: 7, by: 'green', remark: '收据0025' },
]
type Recharge = (typeof recharges)[number]
const checker = 'platform'

/** Shifts of the clerks: one is handed over, one waits for its receiver, two are open. `hours` ago. */
const shifts = [
  { id: 1, by: 'green', opened: 76, closed: 4, short: -50, reason: '找零差错', received: false },
  { id: 2, by: 'agent', opened: 98, closed: 30, short: 0, reason: null, received: true },
  { id: 3, by: 'green', opened: 1 },
  { id: 4, by: 'agent', opened: 5 },
]
type Shift = (typeof shifts)[number]

/** Recharges at the desk with their postings; members, cards and people must exist. */
export async function addDemoDeskRecharges(client: pg.Client): Promise<void> {
  for (const shift of shifts) {
    const known = await client.query('select 1 from desk_shift where id = $1', [shift.id])
    if (known.rowCount === 1) continue
    await client.query(
      `insert into desk_shift (id, organise_id, agent_id, site_id, clerk_id, clerk, opened_at)
       select $1, organise_id, agent_id, site_id, id, name, now() - make_interval(hours => $2) from user_account where login_name = $3 on conflict do nothing`,
      [shift.id, shift.opened, shift.by],
    )
    await addRecharges(client, shift)
    await endShift(client, shift)
  }
}

async function endShift(client: pg.Client, { id, closed, short, reason, received }: Shift): Promise<void> {
  if (closed === undefined) return
  await client.query(
    `update desk_shift set status = 2, closed_at = now() - make_interval(hours => $2), recharges = cash.count, expected_fen = cash.fen,
       counted_fen = cash.fen + $3, reason = $4
     from (select count(*)::int as count, sum(amount_fen)::bigint as fen from offline_recharge where shift_id = $1 and status in (1, 2)) cash
     where id = $1 and cash.count > 0`,
    [id, closed, short, reason],
  )
  if (received)
    await client.query(
      `update desk_shift set status = 3, received_by_id = receiver.id, received_by = receiver.name,
         received_at = closed_at + interval '25 minutes', received_fen = counted_fen
       from user_account receiver where desk_shift.id = $1 and desk_shift.status = 2 and receiver.login_name = $2`,
      [id, checker],
    )
}

async function addRecharges(client: pg.Client, shift: Shift): Promise<void> {
  for (const recharge of recharges.filter((one) => one.shift === shift.id)) {
    const { rows } = await client.query<Payee>(
      recharge.card === undefined
        ? `select organise_id as organise, agent_id as agent, site_id as site, id as member, null as card from member where id = $1`
        : `select organise_id as organise, agent_id as agent, site_id as site, member_id as member, id as card from stored_card where id = $1`,
      [recharge.card ?? recharge.member],
    )
    const [payee] = rows
    const known = await client.query('select 1 from offline_recharge where id = $1', [recharge.id])
    if (payee === undefined || known.rowCount === 1) continue
    const rechargeId = recharge.status === 2 ? await credit(client, payee, recharge) : null
    await client.query(
      `insert into offline_recharge (id, organise_id, agent_id, site_id, target, member_id, card_id, amount_fen, gift_fen, way, remark, status,
         created_by_id, created_by, created_at, decided_by_id, decided_by, decided_at, decision, recharge_id, shift_id)
       select $1::bigint, $2, $3, $4, $5, $6, $7, $8, $9, 1, $10, $11::smallint, maker.id, maker.name, now() - make_interval(hours => $12),
         case when $11::int in (2, 3) then checker.id end, case when $11::int in (2, 3) then checker.name end,
         case when $11::int in (2, 3) then now() - make_interval(hours => $12) + interval '20 minutes' end,
         case when $11::int = 3 then '未收到款项' end, $13, $16
       from user_account maker, user_account checker where maker.login_name = $14 and checker.login_name = $15`,
      [
        recharge.id,
        payee.organise,
        payee.agent,
        payee.site,
        payee.card === null ? 1 : 2,
        payee.member,
        payee.card,
        recharge.fen,
        recharge.gift,
        recharge.remark,
        recharge.status,
        recharge.hours,
        rechargeId,
        recharge.by,
        checker,
        shift.id,
      ],
    )
  }
}

type Payee = { organise: string; agent: string | null; site: string | null; member: string | null; card: string | null }

async function credit(client: pg.Client, payee: Payee, { id, fen, gift, hours }: Recharge): Promise<string> {
  const { cardPaid, cardGift, memberPaid, memberGift, giftCost, channel: through } = accountKind.code
  const [paid, given] = payee.card === null ? [memberPaid, memberGift] : [cardPaid, cardGift]
  const owner = payee.card ?? payee.member ?? ''
  const posting = (what: 'recharge' | 'gift', key: string, lines: [number, string, number][]) => ({
    key: `offlineRecharge/${id}/${key}`,
    keyAt: new Date().toISOString(),
    organiseId: payee.organise,
    agentId: payee.agent,
    siteId: payee.site,
    kind: postingKind.code[what],
    ref: `XC${String(id).padStart(8, '0')}`,
    memo: null,
    by: null,
    lines: lines.map(([account, of, amount]) => [account, of, String(amount)]),
  })
  const offline = String(channel.code.offline)
  const paying = posting('recharge', 'paid', [
    [through, offline, -fen],
    [paid, owner, fen],
  ])
  const giving = posting('gift', 'gift', [
    [giftCost, '0', -gift],
    [given, owner, gift],
  ])
  await client.query('select app.post($1::jsonb)', [JSON.stringify(gift === 0 ? [paying] : [paying, giving])])
  const { rows } = await client.query<{ id: string }>(
    `with now_there as (select coalesce(sum(balance_fen), 0) as fen from account where organise_id = $1 and owner_id = $2 and kind in ($3, $4))
     insert into recharge_order (organise_id, agent_id, site_id, target, member_id, card_id, provider, amount_fen, gift_fen, status, before_fen, after_fen, created_at, paid_at)
     select $1, $5, $6, $7, $8, $9, $10, $11::bigint, $12::bigint, 2, fen - $11 - $12, fen, paid.at, paid.at
     from now_there, (select now() - make_interval(hours => $13) + interval '20 minutes' as at) paid returning id`,
    [
      payee.organise,
      owner,
      paid,
      given,
      payee.agent,
      payee.site,
      payee.card === null ? 1 : 2,
      payee.member,
      payee.card,
      channel.code.offline,
      fen,
      gift,
      hours,
    ],
  )
  if (payee.card === null)
    await client.query('update member set recharged_fen = recharged_fen + $2 where id = $1', [payee.member, fen])
  return rows[0]?.id ?? ''
}
