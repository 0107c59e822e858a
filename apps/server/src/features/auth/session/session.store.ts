import type { UserInfo } from '@wattdeck/contract/auth/session.ts'
import { sql } from 'kysely'
import { statPlace } from '../../../core/statistics/stat-place.store.ts'
import type { Db } from '../../../kit/db/db.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { rowExists } from '../../../kit/db/rows.ts'

/** The stored part of the session: the person, their place, and its names. */
export function readProfile(db: Db, userId: string) {
  return db
    .selectFrom('user_account as person')
    .innerJoin('organise', 'organise.id', 'person.organise_id')
    .leftJoin('organise_base_service as service', 'service.organise_id', 'organise.id')
    .leftJoin('department', 'department.id', 'person.department_id')
    .leftJoin('department as above', 'above.id', 'department.parent_id')
    .leftJoin('agent', 'agent.id', 'person.agent_id')
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
      'department.phone as department_phone',
      'above.name as parent_department_name',
      'organise.name as organise_name',
      'organise.basic_service_status',
      'agent.parent_agent_id',
    ])
    .select(sql<string | null>`to_char(service.expires_on, 'YYYY-MM-DD')`.as('service_expires_on'))
    .where('person.id', '=', userId)
    .executeTakeFirst()
}

/** The device types that the reader has, the most frequent first, each with the code of its category. */
export async function readDeviceTypes(db: Db, scope: Scope) {
  const { rows } = await sql<{ id: string; code: string; name: string; categoryCode: string }>`
    with counted as (
      select device_type_id, sum(devices) as devices from stat_now_live
      where ${await statPlace(db, scope, {})} and device_type_id <> 0 group by device_type_id having sum(devices) > 0
    )
    select type.id, type.code, type.name, category.code as "categoryCode"
    from counted join device_type type on type.id = counted.device_type_id
    join device_category category on category.id = type.category_id
    order by counted.devices desc, type.code`.execute(db)
  return rows
}

/** Names from the top of the tree down to the person's own department and agent, as far as the reader sees them. */
export async function readPaths(db: Db, departmentId: string | null, agentId: string | null) {
  const { rows } = await sql<{ department: string | null; agent: string | null }>`
    with recursive departments as (
      select id, parent_id, name, 1 as height from department where id = ${departmentId}::bigint
      union all
      select above.id, above.parent_id, above.name, height + 1
      from departments join department above on above.id = departments.parent_id where height < ${mostLevels}
    ), agents as (
      select id, parent_agent_id, name, 1 as height from agent where id = ${agentId}::bigint
      union all
      select above.id, above.parent_agent_id, above.name, height + 1
      from agents join agent above on above.id = agents.parent_agent_id where height < ${mostLevels}
    )
    select (select string_agg(name, ' / ' order by height desc) from departments) as department,
      (select string_agg(name, ' / ' order by height desc) from agents) as agent`.execute(db)
  return rows[0] ?? { department: null, agent: null }
}
const mostLevels = 30

export const isVisible = (db: Db, userId: string) => rowExists(db, 'user_account', { id: userId, deleted_at: null })

export const avatarUrl = (avatar: Buffer | null) =>
  avatar === null ? null : `data:image/webp;base64,${avatar.toString('base64')}`
export type Theme = UserInfo['theme']
