import type { BodyOf, QueryOf } from '@wattdeck/contract/kit/route.ts'
import type { department } from '@wattdeck/contract/system/department.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { ifGiven, organisePlace, type Source } from '../../../kit/db/list-query.ts'
import { containing } from '../../../kit/db/paging.ts'
import type { Place } from '../../_shared/place.store.ts'
import { insertUnlessDuplicate, otherRowExists, removeRow, updateRow } from '../../../kit/db/rows.ts'

type Fields = Pick<BodyOf<typeof department.edit>, 'name' | 'code' | 'type' | 'leader' | 'phone'>

const treeBound = 5000

export const departmentsOf = (db: Db, organiseId: string) =>
  db
    .selectFrom('department')
    .select(['id', 'name', 'parent_id as parentId'])
    .where('organise_id', '=', organiseId)
    .orderBy('id')
    .limit(treeBound)
    .execute()

export const departmentSource: Source = {
  table: 'department',
  place: organisePlace('department'),
  computed: {
    parentName: sql`(select above.name from department above where above.id = department.parent_id)`,
    staffCount: sql`(select count(*)::int from user_account
      where user_account.department_id = department.id and user_account.deleted_at is null)`,
    menuIds: sql`array(select given.menu_id::text from department_menu given
      where given.department_id = department.id order by given.menu_id)`,
  },
  own: ({ parentId, name }: QueryOf<typeof department.list>) => [
    ...ifGiven(parentId, (above) => sql<boolean>`(department.id = ${above} or department.parent_id = ${above})`),
    ...ifGiven(name, (text) => sql<boolean>`department.name like ${containing(text)}`),
  ],
}

export const findDepartment = (db: Db, id: string) =>
  db
    .selectFrom('department')
    .select(['id', 'parent_id', 'organise_id', 'agent_id', 'site_id'])
    .where('id', '=', id)
    .executeTakeFirst()

/** Undefined where the organisation already has this code. */
export async function addDepartment(
  db: Db,
  place: Place,
  { name, code, type, leader, phone, parentId, createdBy }: Fields & { parentId: string | null; createdBy: string },
): Promise<string | undefined> {
  const values = {
    ...place,
    parent_id: parentId,
    name,
    code,
    type,
    leader: leader ?? null,
    phone: phone ?? null,
    created_by: createdBy,
  }
  return insertUnlessDuplicate(db, 'department', values, ['organise_id', 'code'])
}

export const codeTaken = (db: Db, { id, organise_id }: { id: string; organise_id: string }, code: string) =>
  otherRowExists(db, 'department', { organise_id, code }, id)

/** An omitted phone stays unchanged, because the editor has seen it only masked. */
export const editDepartment = (
  db: Db,
  id: string,
  { name, code, type, leader, phone, parentId }: Fields & { parentId: string | null },
) => {
  const values = { parent_id: parentId, name, code, type, leader: leader ?? null }
  return updateRow(db, 'department', id, { ...values, ...(phone === undefined ? {} : { phone }) })
}

/** Two concurrent moves could each be valid and form a cycle together, so a lock serialises changes to an organisation's tree. */
export async function lockTree(db: Db, organiseId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('department tree'), hashtext(${organiseId}::text))`.execute(db)
}

export async function isAtOrBelow(db: Db, id: string, top: string): Promise<boolean> {
  const { rows } = await sql`
    with recursive above as (
      select id, parent_id from department where id = ${id}
      union
      select department.id, department.parent_id from department join above on department.id = above.parent_id
    )
    select 1 from above where id = ${top}`.execute(db)
  return rows.length > 0
}

export async function departmentUses(db: Db, id: string) {
  const { rows } = await sql<{ below: boolean; staff: boolean }>`
    select exists (select from department where parent_id = ${id}) as below,
      exists (select from user_account where department_id = ${id} and deleted_at is null) as staff`.execute(db)
  return rows[0] ?? { below: true, staff: true }
}

export async function removeDepartment(db: Db, id: string): Promise<boolean> {
  // Removed users are kept only for the log; they must not keep their department.
  await db
    .updateTable('user_account')
    .set({ department_id: null })
    .where('department_id', '=', id)
    .where('deleted_at', 'is not', null)
    .execute()
  return removeRow(db, 'department', id)
}
