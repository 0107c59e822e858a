import { displayText } from '@wattdeck/domain/tariff/display.ts'
import type { EnergyRules, PowerRules, TariffRules, TimeRules } from '@wattdeck/domain/tariff/rules.ts'
import type { TestApi } from './api.ts'

const common = {
  minFeeFen: 0,
  startFeeFen: 0,
  freeMinutes: 0,
  maxMinutes: 600,
  fullStop: true,
  refundUnused: true,
  occupancy: null,
  presets: [],
}
/** One price all day, which every device can keep to. */
export const byEnergy: EnergyRules = {
  ...common,
  billingType: 0,
  segments: [{ fromMin: 0, toMin: 1440, period: 'flat', electricityE5: 62_000, serviceE5: 40_000 }],
}
/** Dear in the day, cheap at night. */
export const byClock: EnergyRules = {
  ...common,
  billingType: 0,
  segments: [
    { fromMin: 0, toMin: 480, period: 'valley', electricityE5: 35_000, serviceE5: 40_000 },
    { fromMin: 480, toMin: 1320, period: 'peak', electricityE5: 105_000, serviceE5: 50_000 },
    { fromMin: 1320, toMin: 1440, period: 'valley', electricityE5: 35_000, serviceE5: 40_000 },
  ],
}
export const byTime: TimeRules = {
  ...common,
  billingType: 1,
  unitMinutes: 480,
  stepMinutes: 1,
  tiers: [{ uptoMin: null, priceFen: 200 }],
  electricityE5: 62_000,
}
export const byPower: PowerRules = {
  ...common,
  billingType: 2,
  mode: 'peak',
  bands: [
    { maxWatt: 200, priceE5: 25_000 },
    { maxWatt: 300, priceE5: 30_000 },
  ],
  electricityE5: 62_000,
}

let serial = 0
type Wish = {
  rules?: TariffRules
  organiseId: string
  agentId?: string | null
  name?: string
  deviceIds?: string[]
  siteIds?: string[]
  /** Without a version in force: what it says is its draft. */
  draft?: boolean
}
export type MadeTariff = { id: string; versionId: string; name: string }

/** A tariff with one version, in force unless it is wanted as a draft, bound to devices and sites. */
export async function makeTariff(api: Pick<TestApi, 'sql'>, wish: Wish): Promise<MadeTariff> {
  const { rules = byEnergy, organiseId, agentId = null, draft = false, deviceIds = [], siteIds = [] } = wish
  const name = wish.name ?? `标准${process.pid}-${++serial}`
  const [made] = await api.sql<{ id: string }>(
    'insert into tariff (organise_id, agent_id, name, billing_type, versions) values ($1, $2, $3, $4, $5) returning id',
    [organiseId, agentId, name, rules.billingType, draft ? 0 : 1],
  )
  const id = made?.id ?? ''
  const [version] = await api.sql<{ id: string }>(
    `insert into tariff_version (tariff_id, organise_id, agent_id, no, rules, display_text, state, effective_at, published_at, published_by)
     values ($1, $2, $3, 1, $4, $5, $6::smallint, case when $6::smallint = 2 then now() end, case when $6::smallint = 2 then now() end, '张伟') returning id`,
    [id, organiseId, agentId, JSON.stringify(rules), displayText(rules), draft ? 0 : 2],
  )
  const versionId = version?.id ?? ''
  if (!draft) await api.sql('update tariff set version_id = $2 where id = $1', [id, versionId])
  await api.sql('update device set tariff_id = $2 where id = any($1)', [deviceIds, id])
  await api.sql('update site set tariff_id = $2 where id = any($1)', [siteIds, id])
  return { id, versionId, name }
}

/** What a change of a tariff needs to find: a draft beside a version that holds, or one that waits for its moment. */
export async function makeTariffFor(api: Pick<TestApi, 'sql'>, route: string, organiseId: string): Promise<MadeTariff> {
  const made = await makeTariff(api, { organiseId })
  if (!['publish', 'discard', 'withdraw'].includes(route)) return made
  const [next] = await api.sql<{ id: string }>(
    `insert into tariff_version (tariff_id, organise_id, no, rules, display_text, state, effective_at, published_at)
     values ($1, $2, 2, $3, '公示', $4::smallint, now() + interval '1 day', now()) returning id`,
    [made.id, organiseId, JSON.stringify(byClock), route === 'withdraw' ? 1 : 0],
  )
  return { ...made, versionId: next?.id ?? '' }
}
