import { accountKind, channel, postingKind } from '@wattdeck/contract/accounting/ledger-codes.ts'
import { payPurpose } from '@wattdeck/contract/accounting/pay-codes.ts'
import { messageEpochMs } from '@wattdeck/contract/events/device-bus.ts'
import { earnedFen } from '@wattdeck/domain/monthly-pass.ts'
import type pg from 'pg'

type Terms = { fen: number; days: number; minutes?: number; dwh?: number; daily: number; monthly?: number }
type Plan = { id: number; name: string; agent?: number; enabled: boolean; remark?: string; versions: readonly Terms[] }
const plans: readonly Plan[] = [
  {
    id: 1,
    name: '通勤月卡',
    enabled: true,
    versions: [
      { fen: 2500, days: 30, minutes: 240, daily: 1 },
      { fen: 2990, days: 30, minutes: 300, daily: 1 },
    ],
  },
  {
    id: 2,
    name: '骑手月卡',
    enabled: true,
    remark: '外卖、快递',
    versions: [{ fen: 9900, days: 30, minutes: 480, daily: 3, monthly: 75 }],
  },
  { id: 3, name: '余杭季卡', agent: 2, enabled: true, versions: [{ fen: 7900, days: 90, dwh: 12_000, daily: 1 }] },
  {
    id: 4,
    name: '周末体验卡',
    enabled: false,
    remark: '已由通勤月卡代替',
    versions: [{ fen: 690, days: 7, minutes: 180, daily: 1 }],
  },
]
/** `status`: 1 waiting, 2 paid, 3 cancelled. */
const sales = [
  { no: 1, member: 1, plan: 1, version: 0, daysAgo: 26, status: 2 },
  { no: 2, member: 4, plan: 2, version: 0, daysAgo: 19, status: 2 },
  { no: 3, member: 8, plan: 1, version: 0, daysAgo: 12, status: 2 },
  { no: 4, member: 2, plan: 4, version: 0, daysAgo: 11, status: 2 },
  { no: 5, member: 2, plan: 1, version: 1, daysAgo: 4, status: 2 },
  { no: 6, member: 4, plan: 3, version: 0, daysAgo: 3, status: 3 },
  { no: 7, member: 1, plan: 1, version: 1, daysAgo: 1, status: 2 },
]
const organise = 2
const feeE5 = 600
const idAt = (ms: number, counter: number) => ((BigInt(ms - messageEpochMs) << 22n) | BigInt(counter)).toString()

/** Plans of the first organisation, and passes that its members bought, with payments and income so far. */
export async function addDemoPasses(client: pg.Client): Promise<void> {
  const { rows } = await client.query('select from monthly_plan where id = 1')
  if (rows.length > 0) return
  for (const plan of plans) await addPlan(client, plan)
  for (const sale of sales) await addSale(client, sale)
}

const versionId = (plan: number, version: number) => plan * 10 + version

async function addPlan(
  client: pg.Client,
  { id, name, agent = null, enabled, remark, versions }: Omit<Plan, 'agent'> & { agent?: number | null },
) {
  await client.query(
    `insert into monthly_plan (id, organise_id, agent_id, status, remark, created_by, updated_by, created_at)
     values ($1, $2, $3, $4, $5, '沈知行', '周启明', now() - interval '60 days')`,
    [id, organise, agent, enabled ? 1 : 0, remark ?? null],
  )
  for (const [no, { fen, days, minutes, dwh, daily, monthly }] of versions.entries())
    await client.query(
      `insert into monthly_plan_version (id, plan_id, organise_id, agent_id, no, name, price_fen, days, use_minutes, use_dwh, day_times, month_times, created_by, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, '周启明', now() - make_interval(days => $13))`,
      [
        versionId(id, no),
        id,
        organise,
        agent,
        no + 1,
        name,
        fen,
        days,
        minutes ?? null,
        dwh ?? null,
        daily,
        monthly ?? null,
        60 - no * 52,
      ],
    )
  await client.query('update monthly_plan set version_id = $2 where id = $1', [id, versionId(id, versions.length - 1)])
}

async function addSale(client: pg.Client, { no, member, plan, version, daysAgo, status }: (typeof sales)[number]) {
  const terms = plans.find(({ id }) => id === plan)?.versions[version]
  if (terms === undefined) throw new Error(`plan ${plan} has no version ${version}`)
  const { fen, days } = terms
  const at = Date.now() - daysAgo * 86_400_000 - no * 600_000
  const [orderId, payId, passId] = [0, 1, 2].map((part) => idAt(at, 4_000_000 + no * 4 + part))
  const { rows } = await client.query<{ agent: string | null; site: string | null }>(
    'select agent_id as agent, site_id as site from member where id = $1',
    [member],
  )
  const [place] = rows
  if (place === undefined) return
  const owner = [organise, place.agent, place.site]
  const time = at / 1000
  await client.query(
    `insert into plan_order (id, organise_id, agent_id, site_id, member_id, plan_id, version_id, amount_fen, provider, pay_order_id, status, created_at, paid_at, cancelled_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, 1, $9, $10::smallint, to_timestamp($11::float8), case when $10::int = 2 then to_timestamp($11::float8 + 20) end,
       case when $10::int = 3 then to_timestamp($11::float8 + 905) end)`,
    [orderId, ...owner, member, plan, versionId(plan, version), fen, payId, status, time],
  )
  const fee = Math.round((fen * feeE5) / 100_000)
  await client.query(
    `insert into pay_order (id, organise_id, agent_id, site_id, merchant_id, provider, way, purpose, ref_id, member_id, amount_fen, fee_fen, profit_sharing, status,
       transaction_id, expires_at, created_at, sent_at, paid_at, closed_at)
     select $1::bigint, $2, $3, $4, merchant.id, 1, 1, $5, $6, $7, $8, $9, false, $10::smallint, case when $10::int = 2 then $11 end,
       to_timestamp($12::float8 + 900), to_timestamp($12::float8), to_timestamp($12::float8 + 1), case when $10::int = 2 then to_timestamp($12::float8 + 20) end,
       case when $10::int = 3 then to_timestamp($12::float8 + 905) end
     from pay_merchant merchant where merchant.organise_id = $2 and merchant.provider = 1 order by merchant.id limit 1`,
    [payId, ...owner, payPurpose.code.card, orderId, member, fen, status === 2 ? fee : 0, status, `4200${payId}`, time],
  )
  if (status !== 2) return
  const pass = await client.query<{ ended: number }>(
    `insert into member_plan (id, organise_id, agent_id, site_id, member_id, plan_id, version_id, order_id, price_fen, from_on, to_on, income_days, income_fen)
     select $1, $2, $3, $4, $5, $6, $7, $8, $9::bigint, day, day + $10::int - 1, ended, $9::bigint * ended / $10::int
     from (
       select greatest((to_timestamp($11::float8) at time zone 'Asia/Shanghai')::date,
         (select max(to_on) + 1 from member_plan where member_id = $5 and plan_id = $6)) as day
     ) first,
     lateral (select greatest(0, least($10::int, (now() at time zone 'Asia/Shanghai')::date - day)) as ended) past
     returning income_days as ended`,
    [passId, ...owner, member, plan, versionId(plan, version), orderId, fen, days, time],
  )
  const income = Number(earnedFen(BigInt(fen), days, pass.rows[0]?.ended ?? 0))
  const { channel: through, channelFee, planDeferred, planIncome } = accountKind.code
  const { passSale, passIncome, channelFee: feeKind } = postingKind.code
  const wechat = String(channel.code.wechat)
  const posting = (
    key: string,
    kind: number,
    ref: string,
    lines: readonly (readonly [number, string | undefined, number])[],
  ) => ({
    key,
    keyAt: new Date(at).toISOString(),
    organiseId: String(organise),
    agentId: place.agent,
    siteId: place.site,
    kind,
    ref,
    memo: null,
    by: null,
    lines: lines.map(([account, of, amount]) => [account, of, String(amount)]),
  })
  const postings = [
    posting(`pay/${payId}/paid`, passSale, `P${payId}`, [
      [through, wechat, -fen],
      [planDeferred, passId, fen],
    ]),
    posting(`pay/${payId}/fee`, feeKind, `P${payId}`, [
      [through, wechat, fee],
      [channelFee, wechat, -fee],
    ]),
    ...(income === 0
      ? []
      : [
          posting(`pass/${passId}/demo`, passIncome, passId ?? '', [
            [planDeferred, passId, -income],
            [planIncome, '0', income],
          ]),
        ]),
  ]
  await client.query('select app.post($1::jsonb)', [JSON.stringify(postings)])
}
