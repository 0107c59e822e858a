import { type TariffVersion, versionFlow, versionState } from '@wattdeck/contract/product/consumption-standard.ts'
import { sheetOf } from '@wattdeck/contract/product/tariff-sheet.ts'
import { lineChanges } from '@wattdeck/domain/tariff/changes.ts'
import { displayText } from '@wattdeck/domain/tariff/display.ts'
import type { TariffRules } from '@wattdeck/domain/tariff/rules.ts'
import { sql } from 'kysely'
import type { Db } from '../../kit/db/db.ts'
import { byId, pageOf, type Paging } from '../../kit/db/paging.ts'
import type { Tariff } from './tariff.store.ts'

type Action = Parameters<typeof versionFlow.from>[0]
const allowed = (action: Action) => sql<boolean>`state = any(${versionFlow.from(action)}::smallint[])`
const { draft, inForce, replaced, scheduled } = versionState.code

export type StoredVersion = { versionId: string; no: number; state: number; rules: TariffRules; effectiveAt: string }

/** The versions of a tariff that are in force, scheduled or a draft. */
export async function openVersions(db: Db, tariffId: string): Promise<StoredVersion[]> {
  const { rows } = await sql<StoredVersion>`select id as "versionId", no, state, rules, effective_at as "effectiveAt"
    from tariff_version where tariff_id = ${tariffId} and state in (${draft}, ${scheduled}, ${inForce})`.execute(db)
  return rows
}

/**
 * Writes the draft of a tariff. A draft is immutable: other rules get another id, so that a publisher publishes exactly
 * the version that was displayed. Returns whether there is a new draft.
 */
export async function writeDraft(db: Db, tariff: Tariff, rules: TariffRules, by: string) {
  const text = JSON.stringify(rules)
  const { rows } = await sql<{ same: boolean }>`select rules = ${text}::jsonb as same from tariff_version
    where tariff_id = ${tariff.id} and state in (${draft}, ${inForce}) order by state limit 1`.execute(db)
  if (rows[0]?.same === true) return false
  await sql`delete from tariff_version where tariff_id = ${tariff.id} and state = ${draft}`.execute(db)
  await sql`insert into tariff_version (tariff_id, organise_id, agent_id, site_id, no, rules, display_text, created_by)
    values (${tariff.id}, ${tariff.organise_id}, ${tariff.agent_id}, ${tariff.site_id}, ${tariff.versions + 1}, ${text}::jsonb,
      ${displayText(rules)}, ${by})`.execute(db)
  return true
}

/** Deletes a draft. Returns whether it existed. */
export async function dropDraft(db: Db, tariffId: string, versionId: string): Promise<boolean> {
  const { numAffectedRows } =
    await sql`delete from tariff_version where id = ${versionId} and tariff_id = ${tariffId} and state = ${draft}`.execute(
      db,
    )
  return numAffectedRows === 1n
}

export async function readVersion(db: Db, tariffId: string, versionId: string) {
  const { rows } = await sql<{ no: number; state: number; rules: TariffRules }>`select no, state, rules
    from tariff_version where id = ${versionId} and tariff_id = ${tariffId}`.execute(db)
  return rows[0]
}

/** Activates a version and replaces the previous one. With `by` it takes effect now; without it, at the scheduled time. */
export async function putInForce(db: Db, tariffId: string, versionId: string, by?: string) {
  await sql`update tariff_version set state = ${versionFlow.to('replace')} where tariff_id = ${tariffId} and ${allowed('replace')}`.execute(
    db,
  )
  const { rows } = await sql<{ no: number }>`update tariff_version set state = ${versionFlow.to('publish')},
      effective_at = case when ${by === undefined} then effective_at else now() end,
      published_by = coalesce(${by ?? null}, published_by), published_at = coalesce(case when ${by !== undefined} then now() end, published_at)
    where id = ${versionId} and tariff_id = ${tariffId} and ${allowed('publish')} returning no`.execute(db)
  const [version] = rows
  if (version === undefined) return false
  await sql`update tariff set version_id = ${versionId}, versions = greatest(versions, ${version.no}) where id = ${tariffId}`.execute(
    db,
  )
  return true
}

/** Schedules a draft. Returns whether the version was a draft until now. */
export async function schedule(db: Db, tariffId: string, versionId: string, at: string, by: string) {
  const { rows } = await sql<{
    no: number
  }>`update tariff_version set state = ${versionFlow.to('schedule')}, effective_at = ${at}::timestamptz,
      published_by = ${by}, published_at = now()
    where id = ${versionId} and tariff_id = ${tariffId} and ${allowed('schedule')} returning no`.execute(db)
  const [planned] = rows
  if (planned === undefined) return false
  await sql`update tariff set versions = greatest(versions, ${planned.no}) where id = ${tariffId}`.execute(db)
  return true
}

export async function withdraw(db: Db, tariffId: string, versionId: string): Promise<boolean> {
  const { numAffectedRows } = await sql`update tariff_version set state = ${versionFlow.to('withdraw')}
    where id = ${versionId} and tariff_id = ${tariffId} and ${allowed('withdraw')}`.execute(db)
  return numAffectedRows === 1n
}

/** Versions newest first, each with its changes against the previous published version. */
export async function listVersions(db: Db, tariffId: string, paging: Paging) {
  const page = await pageOf(db, db.selectFrom('tariff_version').where('tariff_id', '=', tariffId), paging, {
    key: byId('tariff_version.id'),
    columns: (query) =>
      query
        .select([
          'id',
          'no',
          sql<TariffVersion['state']>`state`.as('state'),
          'effective_at as effectiveAt',
          'published_by as publishedBy',
        ])
        .select(['published_at as publishedAt', 'created_by as createdBy', 'created_at as createdAt'])
        .select('display_text as displayText')
        .select(
          sql<
            string | null
          >`(select before.display_text from tariff_version before where before.tariff_id = tariff_version.tariff_id
            and before.no < tariff_version.no and before.state in (${inForce}, ${replaced}) order by before.no desc limit 1)`.as(
            'before',
          ),
        ),
  })
  const rows = page.rows.map(({ before, ...version }) => ({
    ...version,
    changes: before === null ? null : lineChanges(before, version.displayText),
  }))
  return { ...page, rows }
}

export const asSheet = ({ versionId, no, state, rules }: StoredVersion) => ({
  versionId,
  no,
  state: state as TariffVersion['state'],
  sheet: sheetOf(rules),
})
