import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { type Operator, type operatorInfo, operatorList } from '@wattdeck/contract/system/operator-info.ts'
import { sql } from 'kysely'
import { agentsNow } from '../../../core/statistics/stat-now.store.ts'
import { exportOf } from '../../../kit/bulk/list-export.ts'
import type { Db } from '../../../kit/db/db.ts'
import { ifGiven, type Source } from '../../../kit/db/list-query.ts'
import { agentsBelow } from '../../../kit/db/ownership.ts'
import { containing } from '../../../kit/db/paging.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { regionOf } from '../../_shared/region-path.store.ts'

type Filter = QueryOf<typeof operatorInfo.list>

/** Row-level security decides. The organisation is repeated, because an index needs a condition of its own. */
const agents = (db: Db, scope: Scope) =>
  db
    .selectFrom('agent')
    .where('agent.deleted_at', 'is', null)
    .$if(scope.level > 0, (query) => query.where('agent.organise_id', '=', scope.organiseId))

export const operatorSource: Source = {
  table: 'agent',
  where: sql<boolean>`agent.deleted_at is null`,
  place: ({ organiseId, agentId }: Filter, { scope }) => [
    ...(scope.level > 0 ? [sql<boolean>`agent.organise_id = ${scope.organiseId}`] : []),
    ...ifGiven(organiseId, (id) => sql<boolean>`agent.organise_id = ${id}`),
    ...ifGiven(agentId, (id) => sql<boolean>`agent.id = ${agentsBelow(id)}`),
  ],
  computed: {
    parentAgentName: sql`(select above.name from agent above where above.id = agent.parent_agent_id)`,
    regionName: regionOf('agent'),
    adminLoginName: sql`(select person.login_name from user_account person
      where person.id = agent.admin_user_id and person.deleted_at is null)`,
  },
  fill: {
    siteCount: async (rows: Operator[], db) => {
      const ids = rows.map(({ id }) => id)
      const counts = await sitesOf(db, ids)
      return ids.map((id) => counts.get(id) ?? 0)
    },
    deviceCount: async (rows: Operator[], db) => {
      const ids = rows.map(({ id }) => id)
      const counts = await devicesOf(db, ids)
      return ids.map((id) => counts.get(id) ?? 0)
    },
  },
  own: ({ keyword, parentAgentId }: Filter) => [
    ...ifGiven(
      keyword,
      (text) => sql<boolean>`(agent.name ilike ${containing(text)} or agent.code = ${text.toUpperCase()})`,
    ),
    // Filters only by a parent that the caller sees, even for the caller's own agent.
    ...ifGiven(
      parentAgentId,
      (id) => sql<boolean>`agent.parent_agent_id = (
        select above.id from agent above where above.id = ${id} and above.deleted_at is null)`,
    ),
  ],
}

export const operatorExport = exportOf('operatorInfo', operatorList, operatorSource, { title: '运营商列表' })

/** The agents of a page and those below each; `top` is the agent on the page. */
const agentsBelowEach = (ids: readonly string[]) => sql`recursive below as (
      select id as top, id, organise_id from agent where id = any(${ids}::bigint[])
      union all
      select below.top, agent.id, agent.organise_id from agent join below on agent.parent_agent_id = below.id
    )`

/** Number of devices of the agents on a page, including the agents below each. */
async function devicesOf(db: Db, ids: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ top: string; id: string; organiseId: string }>`
    with ${agentsBelowEach(ids)} select top::text, id::text, organise_id::text as "organiseId" from below`.execute(db)
  const now = await agentsNow(db, rows, ['devices'])
  const counts = new Map<string, number>()
  for (const { top, id } of rows) counts.set(top, (counts.get(top) ?? 0) + Number(now.get(id)?.devices ?? 0n))
  return counts
}

/** Number of sites of the agents on a page, including the agents below each. */
async function sitesOf(db: Db, ids: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ top: string; count: number }>`
    with ${agentsBelowEach(ids)}
    select below.top, count(*)::int as count from below
    join site on site.organise_id = below.organise_id and site.agent_id = below.id and site.deleted_at is null
    group by below.top`.execute(db)
  return new Map(rows.map((row) => [row.top, row.count]))
}

/** Maximum number of rows in one branch of a tree. */
const branchMax = 200

type Branch = { organiseId: string | undefined; parentAgentId: string | undefined; own: string | null }

/** The agents directly below an agent; without one, the top of what the caller sees. */
export async function branch(db: Db, scope: Scope, { organiseId, parentAgentId, own }: Branch) {
  const rows = await agents(db, scope)
    .select(['agent.id', 'agent.name', sql<0 | 1>`agent.status`.as('status')])
    .select(
      sql<boolean>`not exists (select from agent child where child.parent_agent_id = agent.id and child.deleted_at is null)`.as(
        'leaf',
      ),
    )
    .$if(organiseId !== undefined, (query) => query.where('agent.organise_id', '=', organiseId ?? ''))
    .$if(parentAgentId !== undefined, (query) => query.where('agent.parent_agent_id', '=', parentAgentId ?? ''))
    .$if(parentAgentId === undefined && scope.level < 2, (query) => query.where('agent.parent_agent_id', 'is', null))
    .$if(parentAgentId === undefined && scope.level >= 2, (query) => query.where('agent.id', '=', own))
    .orderBy('agent.id')
    .limit(branchMax + 1)
    .execute()
  return { rows: rows.slice(0, branchMax), more: rows.length > branchMax }
}

const agentById = (db: Db, scope: Scope, id: string) =>
  agents(db, scope)
    .select(['id', 'organise_id', 'parent_agent_id', 'name', 'depth', 'share_bp', 'status', 'admin_user_id'])
    .where('id', '=', id)

export const readAgent = (db: Db, scope: Scope, id: string) => agentById(db, scope, id).executeTakeFirst()

/** Locked for the change that follows. Lock order: a parent comes before its child. */
export const lockAgent = (db: Db, scope: Scope, id: string) => agentById(db, scope, id).forUpdate().executeTakeFirst()

/** The direct child with the largest share. */
export const largestShareBelow = (db: Db, scope: Scope, id: string) =>
  agents(db, scope)
    .select(['name', 'share_bp'])
    .where('parent_agent_id', '=', id)
    .orderBy('share_bp', 'desc')
    .limit(1)
    .executeTakeFirst()

type AgentValues = {
  name: string
  type: number
  contact: string | null
  phone?: string
  province_code: string | null
  city_code: string | null
  district_code: string | null
  address: string | null
  remark: string | null
}
type NewAgent = AgentValues & {
  organise_id: string
  parent_agent_id: string | null
  depth: number
  share_bp: number
  created_by: string
}

export async function addAgent(db: Db, values: NewAgent): Promise<string> {
  const row = await db.insertInto('agent').values(values).returning('id').executeTakeFirstOrThrow()
  return row.id
}

export async function changeAgent(
  db: Db,
  id: string,
  values: Partial<AgentValues & { share_bp: number; admin_user_id: string }>,
) {
  await db.updateTable('agent').set(values).where('id', '=', id).execute()
}

export async function setAgentStatus(db: Db, id: string, status: number): Promise<boolean> {
  const changed = await db
    .updateTable('agent')
    .set({ status })
    .where('id', '=', id)
    .where('status', '<>', status)
    .executeTakeFirst()
  return changed.numUpdatedRows === 1n
}

/** Counts of rows that prevent the removal. */
export async function belongings(db: Db, { id, admin }: { id: string; admin: string | null }) {
  const { rows } = await sql<{ agents: number; sites: number; people: number }>`select
    (select count(*)::int from agent where parent_agent_id = ${id} and deleted_at is null) as agents,
    (select count(*)::int from site where agent_id = ${id} and deleted_at is null) as sites,
    (select count(*)::int from user_account where agent_id = ${id} and deleted_at is null
      and id is distinct from ${admin}::bigint) as people`.execute(db)
  return rows[0] ?? { agents: 0, sites: 0, people: 0 }
}

/** Soft delete, because orders and logs refer to the agent; its name becomes available again. */
export async function removeAgent(db: Db, id: string): Promise<void> {
  await sql`update agent set deleted_at = now(), status = 0, name = left(name, 40) || '#' || id where id = ${id}`.execute(
    db,
  )
}
