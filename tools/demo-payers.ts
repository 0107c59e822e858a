import { displayText } from '@wattdeck/domain/tariff/display.ts'
import type { TariffRules } from '@wattdeck/domain/tariff/rules.ts'
import type pg from 'pg'

/** What the demo's charges are paid by and priced by. */
export type Device = {
  id: string
  organise: number
  agent: string | null
  site: string
  no: string
  type: string
  online: boolean
}
export type Payer = { id: number; organise: number }
export type Posting = {
  key: string
  keyAt: string
  kind: number
  ref: string
  device?: Device
  organise: number
  lines: [number, number | string, bigint][]
}

export const rules: TariffRules = {
  minFeeFen: 50,
  startFeeFen: 100,
  freeMinutes: 1,
  maxMinutes: 600,
  fullStop: true,
  refundUnused: true,
  occupancy: null,
  presets: [
    { by: 'money', value: 200 },
    { by: 'money', value: 500 },
  ],
  billingType: 0,
  segments: [
    { fromMin: 0, toMin: 480, period: 'valley', electricityE5: 32_000, serviceE5: 30_000 },
    { fromMin: 480, toMin: 1080, period: 'flat', electricityE5: 62_000, serviceE5: 40_000 },
    { fromMin: 1080, toMin: 1440, period: 'peak', electricityE5: 98_000, serviceE5: 40_000 },
  ],
}
export const brands = [2, 3]
export const firstMember = 5001
const membersEach = 20
const names = ['晨光', '小鹿', '阿强', '老周', '青禾', '南山', '北岸', '阿木', '大川', '小满']
export const hourMs = 3_600_000

export async function addTariff(client: pg.Client, organise: number): Promise<string> {
  const id = 500 + organise
  await client.query(
    `insert into tariff (id, organise_id, name, billing_type, versions, created_by) values ($1, $2, '两轮车峰谷电价', 0, 1, '张伟') on conflict do nothing`,
    [id, organise],
  )
  await client.query(
    `insert into tariff_version (id, tariff_id, organise_id, no, rules, display_text, state, effective_at, published_at, published_by)
     values ($1, $1, $2, 1, $3, $4, 2, now() - interval '90 days', now() - interval '90 days', '张伟') on conflict do nothing`,
    [id, organise, JSON.stringify(rules), displayText(rules)],
  )
  await client.query('update tariff set version_id = $1 where id = $1', [id])
  await client.query('update site set tariff_id = $1 where organise_id = $2 and tariff_id is null', [id, organise])
  return String(id)
}

/** Members with money: 300 yuan paid in, 30 given. */
export async function addPayers(client: pg.Client): Promise<Payer[]> {
  const payers = brands.flatMap((organise, brand) =>
    Array.from({ length: membersEach }, (_, place) => ({ id: firstMember + brand * membersEach + place, organise })),
  )
  for (const [place, { id, organise }] of payers.entries())
    await client.query(
      `insert into member (id, organise_id, nickname, phone, registered_at) values ($1, $2, $3, $4, now() - interval '60 days')`,
      [id, organise, names[place % names.length], `1395710${String(1000 + place * 17)}`],
    )
  const at = new Date(Date.now() - 60 * 24 * hourMs).toISOString()
  for (const { id, organise } of payers)
    await book(client, [
      {
        key: `demo/recharge/${id}`,
        keyAt: at,
        kind: 1,
        ref: String(id),
        organise,
        lines: [
          [1, id, 30_000n],
          [51, 1, -30_000n],
        ],
      },
      {
        key: `demo/gift/${id}`,
        keyAt: at,
        kind: 2,
        ref: String(id),
        organise,
        lines: [
          [2, id, 3000n],
          [61, 0, -3000n],
        ],
      },
    ])
  return payers
}

export async function book(client: pg.Client, postings: readonly Posting[]): Promise<void> {
  const asked = postings.map(({ key, keyAt, kind, ref, device, organise, lines }) => ({
    key,
    keyAt,
    organiseId: String(organise),
    agentId: device?.agent ?? null,
    siteId: device?.site ?? null,
    kind,
    ref,
    memo: null,
    by: null,
    lines: lines
      .filter(([, , fen]) => fen !== 0n)
      .map(([account, owner, fen]) => [account, String(owner), fen.toString()]),
  }))
  await client.query('select app.post($1::jsonb)', [JSON.stringify(asked)])
}
