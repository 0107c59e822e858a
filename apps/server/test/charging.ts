import { createHash, randomBytes } from 'node:crypto'
import type { TariffRules } from '@wattdeck/domain/tariff/rules.ts'
import { OpenClient } from '@wattdeck/open-client/open-client.ts'
import type { TestApi } from './api.ts'
import { makeDevice, type Models } from './devices.ts'

type Brand = { id: string; subAgentId: string; siteId: string }

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
/** 0.62 for electricity and 0.40 for service, all day: example E2 of the tariff notes. */
const flatRules: TariffRules = {
  ...common,
  billingType: 0,
  segments: [{ fromMin: 0, toMin: 1440, period: 'flat', electricityE5: 62_000, serviceE5: 40_000 }],
}

/** A program of the brand that may call the open interface. */
export async function makeOpenApp(api: TestApi, organiseId: string): Promise<OpenClient> {
  const [appKey, secret] = [randomBytes(16).toString('hex'), randomBytes(32).toString('hex')]
  await api.sql(`insert into open_app (organise_id, name, app_key, secret_sealed) values ($1, '小程序', $2, $3)`, [
    organiseId,
    appKey,
    api.deps.vault.seal(secret),
  ])
  return new OpenClient({ url: api.url, appKey, secret })
}

/** A tariff in force, for a device or for a whole site. */
async function makeTariffVersion(api: TestApi, organiseId: string, rules: TariffRules): Promise<string> {
  const name = createHash('sha256').update(randomBytes(8)).digest('hex').slice(0, 12)
  const [made] = await api.sql<{ id: string }>(
    `with made as (insert into tariff (organise_id, name, billing_type, versions) values ($1, $2, $3, 1) returning id)
     insert into tariff_version (tariff_id, organise_id, no, rules, display_text, state, effective_at, published_at)
     select id, $1, 1, $4, '', 2, now(), now() from made returning tariff_id as id`,
    [organiseId, name, rules.billingType, JSON.stringify(rules)],
  )
  await api.sql('update tariff set version_id = (select id from tariff_version where tariff_id = $1) where id = $1', [
    made?.id,
  ])
  return made?.id ?? ''
}

/** A device online at the brand's site, on the line of gateway 9, with prices. */
export async function makeStation(api: TestApi, brand: Brand, models: Models, rules: TariffRules = flatRules) {
  const place = { organiseId: brand.id, agentId: brand.subAgentId, siteId: brand.siteId }
  const deviceId = await makeDevice(api, { ...place, typeId: models.dny })
  const tariffId = await makeTariffVersion(api, brand.id, rules)
  const [device] = await api.sql<{ deviceNo: string }>(
    'update device set online = true, tariff_id = $2 where id = $1 returning device_no as "deviceNo"',
    [deviceId, tariffId],
  )
  await api.sql('update device_state set gateway = 9 where device_id = $1', [deviceId])
  return { deviceId, deviceNo: device?.deviceNo ?? '', tariffId }
}

/** A member with money: what they paid, and what they were given. */
export async function makePayer(api: TestApi, organiseId: string, paidFen: bigint, giftFen = 0n): Promise<string> {
  const [member] = await api.sql<{ id: string }>(
    `insert into member (organise_id, nickname) values ($1, '会员') returning id`,
    [organiseId],
  )
  const id = member?.id ?? ''
  const post = (name: string, kind: number, lines: unknown[]) => ({
    key: `${name}/${id}`,
    keyAt: new Date().toISOString(),
    organiseId,
    agentId: null,
    siteId: null,
    kind,
    ref: id,
    memo: null,
    by: null,
    lines,
  })
  const asked = [
    ...(paidFen === 0n
      ? []
      : [
          post('recharge', 1, [
            [1, id, String(paidFen)],
            [51, 1, String(-paidFen)],
          ]),
        ]),
    ...(giftFen === 0n
      ? []
      : [
          post('gift', 2, [
            [2, id, String(giftFen)],
            [61, 0, String(-giftFen)],
          ]),
        ]),
  ]
  if (asked.length > 0) await api.sql('select app.post($1::jsonb)', [JSON.stringify(asked)])
  return id
}
