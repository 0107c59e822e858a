import type { BasicInfo } from '@wattdeck/contract/personal/basic-info.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'

export async function readBasicInfo(db: Db, userId: string): Promise<BasicInfo | undefined> {
  const person = await db
    .selectFrom('user_account as person')
    .innerJoin('organise', 'organise.id', 'person.organise_id')
    .leftJoin('department', 'department.id', 'person.department_id')
    .select([
      'person.name',
      'person.login_name as loginName',
      'person.employee_no as employeeNo',
      'person.phone',
      'person.email',
      'person.address',
      'department.name as departmentName',
      'organise.name as organiseName',
      'person.user_type as userType',
      'person.theme',
      'person.color',
      'person.avatar',
      'person.totp_since as secondFactorSince',
      'person.password_changed_at as passwordChangedAt',
    ])
    .select(
      sql<
        string[]
      >`array(select role.name from user_role join role on role.id = user_role.role_id where user_role.user_id = person.id order by role.id)`.as(
        'roleNames',
      ),
    )
    .where('person.id', '=', userId)
    .executeTakeFirst()
  if (person === undefined) return undefined
  const avatar = person.avatar === null ? null : dataUrl(person.avatar)
  return { ...person, avatar } as BasicInfo
}

export const dataUrl = (webp: Buffer) => `data:image/webp;base64,${webp.toString('base64')}`

export async function editBasicInfo(
  db: Db,
  userId: string,
  edit: { name: string; email: string | null; address: string | null },
) {
  await db.updateTable('user_account').set(edit).where('id', '=', userId).execute()
}

export async function saveAppearance(db: Db, userId: string, look: { theme: string; color: string }) {
  await db.updateTable('user_account').set(look).where('id', '=', userId).execute()
}

export async function saveAvatar(db: Db, userId: string, avatar: Buffer) {
  await db.updateTable('user_account').set({ avatar }).where('id', '=', userId).execute()
}
