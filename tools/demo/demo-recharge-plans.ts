import type pg from 'pg'

type Place = { agent?: string | null; site?: string | null }
type Plan = {
  place: Place
  min: number
  custom: boolean
  validDays: number | null
  /** Days from today. */
  from: number
  to: number | null
  enabled: boolean
  tiers: readonly (readonly [pay: number, gift: number])[]
}
const usual = [
  [50, 5],
  [100, 10],
  [200, 20],
] as const

/** Recharge plans of an organisation: its own, and in the first one also plans of an agent and of sites. */
export async function addDemoRechargePlans(client: pg.Client, organise: number): Promise<void> {
  const { rows } = await client.query('select from recharge_plan where organise_id = $1 limit 1', [organise])
  if (rows.length > 0) return
  const places = await client.query<{ agent: string | null; site: string }>(
    `select agent_id as agent, id as site from site where organise_id = $1 and deleted_at is null order by id limit 3`,
    [organise],
  )
  const [first, second, third] = places.rows
  const whole: Plan = {
    place: {},
    min: 10,
    custom: true,
    validDays: null,
    from: -200,
    to: null,
    enabled: true,
    tiers: usual,
  }
  const more: Plan[] = [
    {
      place: { agent: first?.agent ?? null },
      min: 20,
      custom: true,
      validDays: 180,
      from: -60,
      to: null,
      enabled: true,
      tiers: [...usual, [500, 60]],
    },
    {
      place: second ?? {},
      min: 30,
      custom: false,
      validDays: 30,
      from: -6,
      to: 24,
      enabled: true,
      tiers: [
        [30, 3],
        [88, 18],
        [188, 48],
      ],
    },
    { place: third ?? {}, min: 10, custom: true, validDays: 90, from: 12, to: 42, enabled: true, tiers: [[100, 20]] },
    { place: {}, min: 20, custom: true, validDays: 60, from: -300, to: -201, enabled: false, tiers: usual },
  ]
  for (const plan of organise === 2 && third !== undefined ? [whole, ...more] : [whole])
    await addPlan(client, organise, plan)
}

async function addPlan(client: pg.Client, organise: number, plan: Plan): Promise<void> {
  const { agent = null, site = null } = plan.place
  const { rows } = await client.query<{ id: string }>(
    `insert into recharge_plan (organise_id, agent_id, site_id, min_fen, allows_custom, gift_valid_days, starts_on, ends_on, status,
       created_by, updated_by, created_at, updated_at)
     select $1, $2, $3, $4, $5, $6, today + $7::int, today + $8::int, $9, '沈知行', '周启明', at, at
     from (select (now() at time zone 'Asia/Shanghai')::date as today, now() + least($7::int, -1) * interval '1 day' as at) clock
     returning id`,
    [organise, agent, site, plan.min * 100, plan.custom, plan.validDays, plan.from, plan.to, plan.enabled ? 1 : 0],
  )
  for (const [pay, gift] of plan.tiers)
    await client.query(
      'insert into recharge_tier (organise_id, plan_id, pay_fen, gift_fen, status) values ($1, $2, $3, $4, 0)',
      [organise, rows[0]?.id, pay * 100, gift * 100],
    )
}
