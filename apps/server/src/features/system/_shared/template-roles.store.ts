import { roleCode } from '@wattdeck/domain/roles.ts'
import type { RoleTemplate } from '../../../seed/role-templates.ts'
import type { Db } from '../../../kit/db/db.ts'
import type { Place } from '../../_shared/place.store.ts'
import type { Granted } from './grants.ts'
import { addGrants } from './grants.store.ts'
import { topLevelOf } from './role-standing.ts'
import { insertUnlessDuplicate } from '../../../kit/db/rows.ts'

const rolesAt = (db: Db, place: Place) =>
  db
    .selectFrom('role')
    .where('organise_id', '=', place.organise_id)
    .where('agent_id', 'is not distinct from', place.agent_id)
    .where('site_id', 'is not distinct from', place.site_id)

/** Code and top level of each role at a place. The role of a super admin does not count as that of a platform administrator. */
export const standingsAt = (db: Db, place: Place) =>
  rolesAt(db, place).select(['code', 'top_level', 'name']).orderBy('id').execute()

/**
 * The administrator role of an organisation, which is its ceiling. Other roles may have its code; the first one was created with the
 * organisation. An agent does not see it: the rights of an agent are below it already.
 */
export const adminRole = (db: Db, organiseId: string) =>
  rolesAt(db, { organise_id: organiseId, agent_id: null, site_id: null })
    .select(['id', 'organise_id', 'agent_id', 'site_id', 'top_level', 'can_unmask'])
    .where('code', '=', roleCode.publicAccountManager)
    .orderBy('id')
    .limit(1)

type Making = { place: Place; userType: number; granted: Granted; canUnmask?: boolean; createdBy: string }

/** Undefined where another role at the place has this name. */
export async function addTemplateRole(
  db: Db,
  { code, name }: Pick<RoleTemplate, 'code' | 'name'>,
  { place, userType, granted, canUnmask = false, createdBy }: Making,
): Promise<string | undefined> {
  const values = {
    ...place,
    name,
    code,
    user_type: userType,
    top_level: topLevelOf(place.organise_id, userType),
    can_unmask: canUnmask,
    created_by: createdBy,
  }
  const id = await insertUnlessDuplicate(db, 'role', values, ['organise_id', 'agent_id', 'site_id', 'name'])
  if (id !== undefined) await addGrants(db, { id, ...place }, granted)
  return id
}
