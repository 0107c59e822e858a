import { displayText } from '@wattdeck/domain/tariff/display.ts'
import type { Period, Segment, TariffRules } from '@wattdeck/domain/tariff/rules.ts'
import type pg from 'pg'

/** Tariffs of the demo's sites: by energy and time of day for cars, by duration or power for bikes. */
export type DemoTariff = { id: number; organise: number; name: string; rules: TariffRules }

const common = {
  minFeeFen: 0,
  startFeeFen: 0,
  freeMinutes: 3,
  maxMinutes: 720,
  fullStop: true,
  refundUnused: true,
  occupancy: null,
  presets: [],
}
const segment = (from: number, to: number, period: Period, electricityE5: number, serviceE5: number): Segment => ({
  fromMin: from * 60,
  toMin: to * 60,
  period,
  electricityE5,
  serviceE5,
})
const money = (...yuan: number[]) => yuan.map((value) => ({ by: 'money' as const, value: value * 100 }))

const byClock: TariffRules = {
  ...common,
  billingType: 0,
  startFeeFen: 1000,
  occupancy: { freeMinutes: 15, priceE5: 50_000, capFen: 3000 },
  presets: money(20, 50, 100),
  segments: [
    segment(0, 8, 'valley', 35_000, 40_000),
    segment(8, 11, 'peak', 105_000, 50_000),
    segment(11, 13, 'flat', 70_000, 45_000),
    segment(13, 19, 'peak', 105_000, 50_000),
    segment(19, 22, 'sharp', 126_000, 55_000),
    segment(22, 24, 'valley', 35_000, 40_000),
  ],
}
export const bikesByTime: TariffRules = {
  ...common,
  billingType: 1,
  presets: [120, 240, 480].map((value) => ({ by: 'minutes', value })),
  unitMinutes: 60,
  stepMinutes: 10,
  tiers: [
    { uptoMin: 240, priceFen: 50 },
    { uptoMin: null, priceFen: 40 },
  ],
  electricityE5: 62_000,
}
export const bikesByPower: TariffRules = {
  ...common,
  billingType: 2,
  presets: money(1, 2, 3, 5),
  mode: 'peak',
  bands: [
    { maxWatt: 200, priceE5: 25_000 },
    { maxWatt: 400, priceE5: 38_000 },
    { maxWatt: 800, priceE5: 65_000 },
  ],
  electricityE5: 62_000,
}
const flat: TariffRules = { ...common, billingType: 0, segments: [segment(0, 24, 'flat', 68_000, 42_000)] }

const demos: DemoTariff[] = [
  { id: 1, organise: 2, name: '汽车桩分时电价', rules: byClock },
  { id: 2, organise: 2, name: '两轮车按时间', rules: bikesByTime },
  { id: 3, organise: 2, name: '两轮车按功率', rules: bikesByPower },
  { id: 4, organise: 3, name: '全天统一电价', rules: flat },
  { id: 5, organise: 4, name: '两轮车按功率', rules: bikesByPower },
]

/** Adds the missing tariffs, and binds each to some of the sites of its organisation without one. */
export async function addDemoTariffs(client: pg.Client, more: readonly DemoTariff[]): Promise<void> {
  const all = [...demos, ...more]
  for (const { id, organise, name, rules } of all) {
    const { rowCount } = await client.query(
      `insert into tariff (id, organise_id, name, billing_type, versions, created_by) values ($1, $2, $3, $4, 1, '张伟') on conflict do nothing`,
      [id, organise, name, rules.billingType],
    )
    if (rowCount === 0) continue
    await client.query(
      `insert into tariff_version (id, tariff_id, organise_id, no, rules, display_text, state, effective_at, published_by, published_at, created_by)
       values ($1, $1, $2, 1, $3, $4, 2, now() - interval '60 days', '张伟', now() - interval '60 days', '张伟')`,
      [id, organise, JSON.stringify(rules), displayText(rules)],
    )
    await client.query('update tariff set version_id = $1 where id = $1', [id])
    const several = all.filter((one) => one.organise === organise).length
    // A charger that computes the price itself supports prices by energy only.
    await client.query(
      `update site set tariff_id = $1 where organise_id = $2 and id < 1000 and tariff_id is null and id % $3 = $1 % $3
         and ($4 = 0 or not exists (select from device where device.site_id = site.id and device.adapter = 'ykc'))`,
      [id, organise, several, rules.billingType],
    )
  }
}
