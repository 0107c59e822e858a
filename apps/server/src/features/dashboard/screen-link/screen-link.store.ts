import { screenLinkStatus, type screenLink, type ScreenLink } from '@wattdeck/contract/dashboard/screen-link.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { ownedBy } from '../../../kit/db/ownership.ts'
import { byId, containing, pageOf } from '../../../kit/db/paging.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { regionText } from '../../_shared/region-path.store.ts'

const { live, expired, revoked } = screenLinkStatus.code
const status = sql<ScreenLink['status']>`case when screen_link.revoked_at is not null then ${sql.lit(revoked)}
  when screen_link.expires_at <= now() then ${sql.lit(expired)} else ${sql.lit(live)} end`

export async function listLinks(db: Db, scope: Scope, filter: QueryOf<typeof screenLink.list>) {
  const { keyword, organiseId } = filter
  const matching = db
    .selectFrom('screen_link')
    .$if(scope.level > 0, (query) => query.where('screen_link.organise_id', '=', scope.organiseId))
    .where(ownedBy('screen_link', { organiseId }))
    .$if(keyword !== undefined, (query) => query.where('screen_link.name', 'ilike', containing(keyword ?? '')))
    .$if(filter.status !== undefined, (query) => query.where(status, '=', filter.status ?? live))
  const found = await pageOf(db, matching, filter, {
    key: byId('screen_link.id'),
    columns: (query) =>
      query.select((link) => [
        'screen_link.id',
        'screen_link.name',
        sql<string>`(select organise.name from organise where organise.id = screen_link.organise_id)`.as(
          'organiseName',
        ),
        sql<string | null>`(select device_category.name from device_category
          where device_category.code = screen_link.first_class and device_category.parent_id is null)`.as(
          'firstClassName',
        ),
        sql<string | null>`nullif(${regionText(
          link.ref('screen_link.province_code'),
          link.ref('screen_link.city_code'),
          link.ref('screen_link.district_code'),
        )}, '')`.as('regionName'),
        status.as('status'),
        'screen_link.expires_at as expiresAt',
        'screen_link.last_used_at as lastUsedAt',
        'screen_link.revoked_by as revokedBy',
        'screen_link.created_by as createdBy',
        'screen_link.created_at as createdAt',
      ]),
  })
  return { ...found, rows: found.rows satisfies ScreenLink[] }
}

/** How many of an organisation's links are good now. */
export async function countLive(db: Db, organiseId: string): Promise<number> {
  const found = await db
    .selectFrom('screen_link')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('organise_id', '=', organiseId)
    .where(status, '=', live)
    .executeTakeFirstOrThrow()
  return found.count
}

export async function isBigCategory(db: Db, code: string): Promise<boolean> {
  const found = await db
    .selectFrom('device_category')
    .select('id')
    .where('code', '=', code)
    .where('parent_id', 'is', null)
    .executeTakeFirst()
  return found !== undefined
}

type NewLink = {
  organise_id: string
  name: string
  first_class: string | null
  province_code: string | null
  city_code: string | null
  district_code: string | null
  token_hash: Buffer
  expires_at: string
  created_by: string
}

export const addLink = (db: Db, link: NewLink) =>
  db.insertInto('screen_link').values(link).returning(['id', 'expires_at as expiresAt']).executeTakeFirstOrThrow()

/** A link in scope, locked for the change that follows. */
export const findLink = (db: Db, id: string) =>
  db.selectFrom('screen_link').select(['id', 'name']).where('id', '=', id).forUpdate().executeTakeFirst()

/** Whether it was good until now. */
export async function revokeLink(db: Db, id: string, by: string): Promise<boolean> {
  const changed = await db
    .updateTable('screen_link')
    .set({ revoked_at: sql<string>`now()`, revoked_by: by })
    .where('id', '=', id)
    .where(status, '=', live)
    .executeTakeFirst()
  return changed.numUpdatedRows === 1n
}
