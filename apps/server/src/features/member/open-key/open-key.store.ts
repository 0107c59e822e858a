import { keptSecret } from '@wattdeck/contract/member/open-key.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import type { Condition, Source } from '../../../kit/db/list-query.ts'
import { countRows, switchColumn } from '../../../kit/db/rows.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { organiseStaffRows } from '../_shared/organise-staff.ts'

/** Neither secret is read here: only the check of a signature opens them. */
export const keySource: Source = {
  table: 'open_app',
  computed: {
    networks: sql`open_app.networks::text[]`,
    oldUntil: sql`case when open_app.old_until > now() then open_app.old_until end`,
  },
  own: (_query, { scope }: { scope: Scope }): Condition[] => organiseStaffRows('open_app', scope),
}

/** One request at a time enables keys of an organisation, because their number is limited. */
export async function countLive(db: Db, organiseId: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext('open keys'), hashtext(${organiseId}::text))`.execute(db)
  return countRows(db, 'open_app', { organise_id: organiseId, status: 1 })
}

type NewKey = {
  organiseId: string
  name: string
  appKey: string
  sealed: string
  networks: readonly string[]
  by: string
}
export async function addKey(db: Db, { organiseId, name, appKey, sealed, networks, by }: NewKey): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into open_app (organise_id, name, app_key, secret_sealed, networks, created_by)
    values (${organiseId}, ${name}, ${appKey}, ${sealed}, ${networks}::text[]::cidr[], ${by})
    returning id`.execute(db)
  return rows[0]?.id ?? ''
}

type Locked = { id: string; organiseId: string; name: string; appKey: string; oldIsLive: boolean }
export async function lockKey(db: Db, id: string): Promise<Locked | undefined> {
  const { rows } = await sql<Locked>`
    select id, organise_id as "organiseId", name, app_key as "appKey", coalesce(old_until > now(), false) as "oldIsLive"
    from open_app where id = ${id} for update`.execute(db)
  return rows[0]
}

export async function editKey(db: Db, id: string, name: string, networks: readonly string[]): Promise<void> {
  await sql`update open_app set name = ${name}, networks = ${networks}::text[]::cidr[] where id = ${id}`.execute(db)
}

/** Replaces the secret. One of the secrets that were valid before stays valid for these hours. */
export async function rotateKey(
  db: Db,
  id: string,
  { sealed, graceHours, keeps }: { sealed: string; graceHours: number; keeps: number },
): Promise<void> {
  const kept = keeps === keptSecret.code.old ? sql`old_secret_sealed` : sql`secret_sealed`
  await sql`update open_app set secret_sealed = ${sealed},
      old_secret_sealed = case when ${graceHours}::int > 0 then ${kept} end,
      old_until = case when ${graceHours}::int > 0 then now() + make_interval(hours => ${graceHours}) end
    where id = ${id}`.execute(db)
}

/** Returns false when no old secret was valid. */
export async function endOld(db: Db, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update open_app set old_secret_sealed = null, old_until = null where id = ${id} and old_until > now()`.execute(db)
  return numAffectedRows === 1n
}

/** Returns false when the key has this status already. */
export const setKeyStatus = (db: Db, id: string, status: number) => switchColumn(db, 'open_app', id, 'status', status)
