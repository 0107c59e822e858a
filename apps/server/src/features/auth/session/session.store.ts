import type { UserInfo } from '@wattdeck/contract/auth/session.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'

/** The part of the session that is read from rows: the person, where they belong, and the names of it. */
export function readProfile(db: Db, userId: string) {
  return db
    .selectFrom('user_account as person')
    .innerJoin('organise', 'organise.id', 'person.organise_id')
    .leftJoin('organise_base_service as service', 'service.organise_id', 'organise.id')
    .leftJoin('department', 'department.id', 'person.department_id')
    .leftJoin('department as above', 'above.id', 'department.parent_id')
    .leftJoin('agent', 'agent.id', 'person.agent_id')
    .leftJoin('agent as over', 'over.id', 'agent.parent_agent_id')
    .select([
      'person.name',
      'person.phone',
      'person.employee_no',
      'person.email',
      'person.address',
      'person.login_name',
      'person.theme',
      'person.color',
      'person.avatar',
      'person.member_role_name',
      'person.department_id',
      'department.name as department_name',
      'department.phone as department_phone',
      'above.name as parent_department_name',
      'organise.name as organise_name',
      'organise.basic_service_status',
      'agent.parent_agent_id',
      'agent.name as agent_name',
      'over.name as parent_agent_name',
    ])
    .select(sql<string | null>`to_char(service.expires_on, 'YYYY-MM-DD')`.as('service_expires_on'))
    .where('person.id', '=', userId)
    .executeTakeFirst()
}

export async function isVisible(db: Db, userId: string): Promise<boolean> {
  const found = await db
    .selectFrom('user_account')
    .select(sql`1`.as('one'))
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return found !== undefined
}

export const avatarUrl = (avatar: Buffer | null) =>
  avatar === null ? null : `data:image/webp;base64,${avatar.toString('base64')}`
export type Theme = UserInfo['theme']
