import { enabledStatus } from '@wattdeck/contract/common.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import {
  type ConsumptionStandard,
  type consumptionStandard,
  versionState,
} from '@wattdeck/contract/product/consumption-standard.ts'
import { briefText } from '@wattdeck/domain/tariff/display.ts'
import type { TariffRules } from '@wattdeck/domain/tariff/rules.ts'
import { feeText } from '@wattdeck/domain/tariff/labels.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { ownedBy, ownerNames } from '../../../kit/db/ownership.ts'
import { byId, containing, pageOf, type Paging } from '../../../kit/db/paging.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import type { Place } from '../../_shared/place.store.ts'
import { presetWords } from './consumption-standard.rules.ts'

type Filter = Omit<QueryOf<typeof consumptionStandard.list>, keyof Paging>

/** The caller's own tariffs, and those of the whole organisation, which its agents and sites share. */
function ownOrShared(scope: Scope) {
  if (scope.level === 2) return sql<boolean>`(tariff.agent_id = any(${scope.agentIds}) or tariff.agent_id is null)`
  if (scope.level === 3)
    return sql<boolean>`(tariff.site_id = any(${scope.siteIds}) or (tariff.agent_id is null and tariff.site_id is null))`
  return sql<boolean>`true`
}

const { draft, scheduled, inForce } = versionState.code
/** A tariff has at most one version in each of these states. */
const ofVersion = <T>(column: 'no' | 'effective_at', state: number) =>
  sql<T | null>`(select ${sql.ref(`version.${column}`)} from tariff_version version
    where version.tariff_id = tariff.id and version.state = ${state})`
const deviceCount = sql<number>`((select count(*) from device where device.tariff_id = tariff.id and device.deleted_at is null)
  + (select count(*) from site join device on device.organise_id = site.organise_id and device.site_id = site.id
      and device.tariff_id is null and device.deleted_at is null
    where site.tariff_id = tariff.id and site.deleted_at is null))::int`
const siteCount = sql<number>`(select count(*)::int from site where site.tariff_id = tariff.id and site.deleted_at is null)`

export async function listTariffs(db: Db, scope: Scope, filter: Filter & Paging) {
  const { keyword, billingType, status } = filter
  const matching = db
    .selectFrom('tariff')
    .where('tariff.deleted_at', 'is', null)
    .where(ownedBy('tariff', filter))
    .where(ownOrShared(scope))
    .$if(scope.level > 0, (query) => query.where('tariff.organise_id', '=', scope.organiseId))
    .$if(keyword !== undefined, (query) => query.where('tariff.name', 'like', containing(keyword ?? '')))
    .$if(billingType !== undefined, (query) => query.where('tariff.billing_type', '=', billingType ?? 0))
    .$if(status !== undefined, (query) => query.where('tariff.status', '=', status ?? 0))
  const page = await pageOf(db, matching, filter, {
    key: byId('tariff.id'),
    columns: (query) =>
      query
        .select(['tariff.id', 'tariff.name', 'tariff.billing_type as billingType', 'tariff.status'])
        .select(['tariff.organise_id as organiseId', 'tariff.agent_id as agentId', 'tariff.site_id as siteId'])
        .select(ownerNames('tariff'))
        .select([
          sql<string[]>`tariff.device_type_ids::text[]`.as('deviceTypeIds'),
          sql<
            string[]
          >`array(select type.name from device_type type where type.id = any(tariff.device_type_ids) order by type.code)`.as(
            'deviceTypeNames',
          ),
          deviceCount.as('deviceCount'),
          siteCount.as('siteCount'),
          ofVersion<number>('no', inForce).as('versionNo'),
          ofVersion<string>('effective_at', inForce).as('effectiveAt'),
          ofVersion<number>('no', scheduled).as('nextNo'),
          ofVersion<string>('effective_at', scheduled).as('nextAt'),
          ofVersion<number>('no', draft).as('draftNo'),
          sql<TariffRules | null>`(select version.rules from tariff_version version where version.tariff_id = tariff.id
            and version.state in (${draft}, ${scheduled}, ${inForce}) order by version.state desc limit 1)`.as('rules'),
          'tariff.created_by as createdBy',
          'tariff.created_at as createdAt',
          'tariff.updated_at as updatedAt',
        ]),
  })
  return {
    ...page,
    rows: page.rows.map(({ rules, ...row }) => ({ ...row, ...figuresOf(rules) }) as ConsumptionStandard),
  }
}

/** Figures of the rules for a list. They are empty where the first version is a draft that the caller cannot see. */
const figuresOf = (rules: TariffRules | null) => ({
  prices: rules === null ? '' : briefText(rules),
  segmentCount: rules?.billingType === 0 ? rules.segments.length : null,
  presets: rules === null ? '' : rules.presets.map(presetWords).join('、'),
  startFee: feeText(rules?.startFeeFen ?? 0),
  minFee: feeText(rules?.minFeeFen ?? 0),
  maxMinutes: rules?.maxMinutes ?? 0,
  fullStop: rules?.fullStop ?? false,
  refundUnused: rules?.refundUnused ?? false,
})

type Content = { name: string; billing_type: number; device_type_ids: string[] }

export async function addTariff(db: Db, values: Content & Place & { created_by: string }) {
  const row = await db.insertInto('tariff').values(values).returning('id').executeTakeFirstOrThrow()
  return row.id
}

export async function changeTariff(db: Db, id: string, values: Partial<Content & { status: number }>) {
  await db.updateTable('tariff').set(values).where('id', '=', id).execute()
}

/** Soft delete, because bills refer to the tariff. Drafts are dropped, and scheduled versions are withdrawn. */
export async function removeTariff(db: Db, id: string): Promise<void> {
  await sql`delete from tariff_version where tariff_id = ${id} and state = ${draft}`.execute(db)
  await sql`update tariff_version set state = ${versionState.code.withdrawn} where tariff_id = ${id} and state = ${scheduled}`.execute(
    db,
  )
  await sql`update tariff set deleted_at = now(), status = ${enabledStatus.code.disabled} where id = ${id}`.execute(db)
}

/** Number of devices and sites that are bound to the tariff directly. */
export async function countBound(db: Db, id: string): Promise<{ devices: number; sites: number }> {
  const { rows } = await sql<{ devices: number; sites: number }>`select
    (select count(*)::int from device where tariff_id = ${id} and deleted_at is null) as devices,
    (select count(*)::int from site where tariff_id = ${id} and deleted_at is null) as sites`.execute(db)
  return rows[0] ?? { devices: 0, sites: 0 }
}

/** Adapters of the devices that charge by the tariff. */
export async function adaptersOf(db: Db, id: string): Promise<string[]> {
  const { rows } = await sql<{ adapter: string }>`
    select adapter from device where tariff_id = ${id} and deleted_at is null
    union select device.adapter from site join device on device.organise_id = site.organise_id and device.site_id = site.id
      and device.tariff_id is null and device.deleted_at is null
    where site.tariff_id = ${id} and site.deleted_at is null`.execute(db)
  return rows.map(({ adapter }) => adapter)
}

/** Models with a supported protocol. */
export const listTypes = (db: Db) =>
  db
    .selectFrom('device_type')
    .innerJoin('dtu_protocol', 'dtu_protocol.id', 'device_type.protocol_id')
    .select(['device_type.id', 'device_type.name', sql<string>`dtu_protocol.adapter`.as('adapter')])
    .where('dtu_protocol.adapter', 'is not', null)
    .orderBy('device_type.code')
    .limit(1000)
    .execute()

const mostOptions = 200

export async function listOptions(db: Db, scope: Scope, filter: QueryOf<typeof consumptionStandard.options>) {
  const { keyword, organiseId } = filter
  const rows = await db
    .selectFrom('tariff')
    .innerJoin('tariff_version as held', 'held.id', 'tariff.version_id')
    .select(['tariff.id', 'tariff.name', sql<TariffRules>`held.rules`.as('rules')])
    .select(sql<string>`(select name from organise where organise.id = tariff.organise_id)`.as('organiseName'))
    .where('tariff.deleted_at', 'is', null)
    .where('tariff.status', '=', enabledStatus.code.enabled)
    .where(ownedBy('tariff', { organiseId }))
    .where(ownOrShared(scope))
    .$if(keyword !== undefined, (query) => query.where('tariff.name', 'like', containing(keyword ?? '')))
    .orderBy('tariff.id', 'desc')
    .limit(mostOptions)
    .execute()
  return rows.map(({ rules, ...row }) => ({ ...row, prices: briefText(rules) }))
}
