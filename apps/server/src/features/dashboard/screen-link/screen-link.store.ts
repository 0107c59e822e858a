import { screenLinkStatus } from '@wattdeck/contract/dashboard/screen-link.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import type { Source } from '../../../kit/db/list-query.ts'
import { regionText } from '../../_shared/region-path.store.ts'
import { rowExists } from '../../../kit/db/rows.ts'

const { live, expired, revoked } = screenLinkStatus.code
const status = sql<number>`case when screen_link.revoked_at is not null then ${sql.lit(revoked)}
  when screen_link.expires_at <= now() then ${sql.lit(expired)} else ${sql.lit(live)} end`

const column = (name: string) => sql.ref<string | null>(`screen_link.${name}`)
const region = regionText(column('province_code'), column('city_code'), column('district_code'))

export const linkSource: Source = {
  table: 'screen_link',
  computed: {
    status,
    organiseName: sql`(select organise.name from organise where organise.id = screen_link.organise_id)`,
    firstClassName: sql`(select device_category.name from device_category
      where device_category.code = screen_link.first_class and device_category.parent_id is null)`,
    regionName: sql`nullif(${region}, '')`,
  },
  own: (_query, { scope }) => (scope.level > 0 ? [sql<boolean>`screen_link.organise_id = ${scope.organiseId}`] : []),
}

/** The number of valid links of an organisation. */
export async function countLive(db: Db, organiseId: string): Promise<number> {
  const found = await db
    .selectFrom('screen_link')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('organise_id', '=', organiseId)
    .where(status, '=', live)
    .executeTakeFirstOrThrow()
  return found.count
}

export const isBigCategory = (db: Db, code: string) => rowExists(db, 'device_category', { code, parent_id: null })

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

/** Returns false if the link was no longer valid. */
export async function revokeLink(db: Db, id: string, by: string): Promise<boolean> {
  const changed = await db
    .updateTable('screen_link')
    .set({ revoked_at: sql<string>`now()`, revoked_by: by })
    .where('id', '=', id)
    .where(status, '=', live)
    .executeTakeFirst()
  return changed.numUpdatedRows === 1n
}
