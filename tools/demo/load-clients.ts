import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { Vault } from '../../apps/server/src/kit/crypto/vault.ts'
import type { TariffRules } from '@wattdeck/domain/tariff/rules.ts'
import { asSuperuser } from '../ops/database.ts'

export type Payers = { app: { appKey: string; secret: string }; memberIds: string[] }
type PayerParams = { organiseId: string; secretKeys: string[]; members: number; fen: bigint }
const appName = '模拟小程序'
const nickname = '模拟会员'

/**
 * Simulated people: a program of the organisation for charging, and funded members. Existing ones stay; a balance below
 * half is topped up. The program gets a new secret each time, so that none is stored.
 */
export const makePayers = (database: string, { organiseId, secretKeys, members, fen }: PayerParams): Promise<Payers> =>
  asSuperuser(database, async (sql) => {
    const secret = randomBytes(32).toString('hex')
    const appKey = await ensureApp(sql, organiseId, new Vault(secretKeys).seal(secret))
    await sql.query(
      `insert into member (organise_id, nickname) select $1, name from (select $2 || i as name from generate_series(1, $3) i) wanted
       where not exists (select from member where organise_id = $1 and nickname = name)`,
      [organiseId, nickname, members],
    )
    const { rows } = await sql.query<{ id: string }>(
      `select id::text as id from member where organise_id = $1 and nickname ~ $2 order by id limit $3`,
      [organiseId, `^${nickname}\\d+$`, members],
    )
    const memberIds = rows.map(({ id }) => id)
    await topUp(sql, organiseId, memberIds, fen)
    return { app: { appKey, secret }, memberIds }
  })

async function ensureApp(sql: pg.Client, organiseId: string, sealed: string): Promise<string> {
  const { rows } = await sql.query<{ key: string }>(
    `update open_app set secret_sealed = $3, old_secret_sealed = null where organise_id = $1 and name = $2 returning app_key as key`,
    [organiseId, appName, sealed],
  )
  const [app] = rows
  if (app !== undefined) return app.key
  const key = randomBytes(16).toString('hex')
  await sql.query('insert into open_app (organise_id, name, app_key, secret_sealed) values ($1, $2, $3, $4)', [
    organiseId,
    appName,
    key,
    sealed,
  ])
  return key
}

/** Tops up like a payment: a ledger posting from the clearing account of a provider. */
const topUp = (sql: pg.Client, organiseId: string, memberIds: readonly string[], fen: bigint) =>
  sql.query(
    `select app.post(jsonb_agg(jsonb_build_object('key', 'simulated/' || id || '/' || extract(epoch from now()), 'keyAt', now(),
         'organiseId', $1::bigint, 'agentId', null, 'siteId', null, 'kind', 1, 'ref', id::text,
         'lines', jsonb_build_array(jsonb_build_array(1, id, lacks), jsonb_build_array(51, 1, -lacks)))))
     from (select m.id, $3::bigint - coalesce(a.balance_fen, 0) as lacks, row_number() over (order by m.id) / 100 as part
       from unnest($2::bigint[]) m (id) left join account a on a.kind = 1 and a.owner_id = m.id and a.organise_id = $1::bigint
       where coalesce(a.balance_fen, 0) * 2 < $3::bigint) poor group by part`,
    [organiseId, memberIds, String(fen)],
  )

/** 0.62 yuan for electricity and 0.40 for service, all day. */
const usual: TariffRules = {
  billingType: 0,
  minFeeFen: 0,
  startFeeFen: 0,
  freeMinutes: 0,
  maxMinutes: 600,
  fullStop: true,
  refundUnused: true,
  occupancy: null,
  presets: [],
  segments: [{ fromMin: 0, toMin: 1440, period: 'flat', electricityE5: 62_000, serviceE5: 40_000 }],
}

/** A site without a tariff gets a usual one, because charging requires a price. */
export const ensureTariff = (database: string, organiseId: string, siteId: string) =>
  asSuperuser(database, async (sql) => {
    const { rowCount } = await sql.query('select from site where id = $1 and tariff_id is null', [siteId])
    if (rowCount === 0) return
    await sql.query(
      `with made as (insert into tariff (organise_id, name, billing_type, versions) values ($1, '模拟标准', 0, 1) returning id),
       version as (insert into tariff_version (tariff_id, organise_id, no, rules, display_text, state, effective_at, published_at)
         select id, $1, 1, $2, '', 2, now(), now() from made)
       update site set tariff_id = (select id from made) where id = $3`,
      [organiseId, JSON.stringify(usual), siteId],
    )
    await sql.query(
      `update tariff set version_id = v.id from tariff_version v where v.tariff_id = tariff.id and tariff.version_id is null
         and tariff.id = (select tariff_id from site where id = $1)`,
      [siteId],
    )
  })
