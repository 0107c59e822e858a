import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import type { ownership } from '@wattdeck/contract/system/ownership.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { agentsBelow } from '../../../kit/db/ownership.ts'
import { containing } from '../../../kit/db/paging.ts'
import type { Scope } from '../../../kit/db/scope.ts'

const most = 50
const few = <T>(rows: T[]) => ({ rows: rows.slice(0, most), more: rows.length > most })

export async function organisesToChoose(db: Db, { keyword, ids }: QueryOf<typeof ownership.organises>) {
  const rows = await db
    .selectFrom('organise')
    .select(['id', 'name', 'id as organiseId'])
    .where('deleted_at', 'is', null)
    .$if(keyword !== undefined, (query) => query.where('name', 'ilike', containing(keyword ?? '')))
    .$if(ids !== undefined, (query) => query.where('id', '=', sql<string>`any(${ids})`))
    .orderBy('id')
    .limit(most + 1)
    .execute()
  return few(rows)
}

// Agents nest to any depth; the bound guards against a cycle.
const fullName = sql<string>`(
  with recursive above as (
    select own.parent_agent_id, own.name, 0 as depth from agent own where own.id = agent.id
    union all
    select upper.parent_agent_id, upper.name, above.depth + 1 from agent upper
    join above on upper.id = above.parent_agent_id where above.depth < 30
  )
  select string_agg(above.name, ' / ' order by above.depth desc) from above)`

export async function agentsToChoose(db: Db, scope: Scope, filter: QueryOf<typeof ownership.agents>) {
  const { organiseId, parentAgentId, keyword, ids } = filter
  const rows = await db
    .selectFrom('agent')
    .select(['id', 'name', 'organise_id as organiseId', 'parent_agent_id as parentAgentId', fullName.as('fullName')])
    .where('deleted_at', 'is', null)
    // Repeated beside row-level security, which is only a filter: the index needs a condition of its own.
    .$if(scope.level > 0, (query) => query.where('organise_id', '=', scope.organiseId))
    .$if(organiseId !== undefined, (query) => query.where('organise_id', '=', organiseId ?? ''))
    .$if(parentAgentId !== undefined, (query) => query.where('parent_agent_id', '=', parentAgentId ?? ''))
    .$if(keyword !== undefined, (query) => query.where('name', 'ilike', containing(keyword ?? '')))
    .$if(ids !== undefined, (query) => query.where('id', '=', sql<string>`any(${ids})`))
    .orderBy('id')
    .limit(most + 1)
    .execute()
  return few(rows)
}

export async function sitesToChoose(db: Db, scope: Scope, filter: QueryOf<typeof ownership.sites>) {
  const { organiseId, agentId, keyword, ids } = filter
  const rows = await db
    .selectFrom('site')
    .select(['id', 'name', 'organise_id as organiseId', 'agent_id as agentId'])
    .where('deleted_at', 'is', null)
    .$if(scope.level > 0, (query) => query.where('organise_id', '=', scope.organiseId))
    .$if(scope.level === 2, (query) => query.where('agent_id', '=', sql<string>`any(${scope.agentIds})`))
    .$if(organiseId !== undefined, (query) => query.where('organise_id', '=', organiseId ?? ''))
    .$if(agentId !== undefined, (query) => query.where('agent_id', '=', sql<string>`${agentsBelow(agentId ?? '')}`))
    .$if(keyword !== undefined, (query) => query.where('name', 'ilike', containing(keyword ?? '')))
    .$if(ids !== undefined, (query) => query.where('id', '=', sql<string>`any(${ids})`))
    .orderBy('id')
    .limit(most + 1)
    .execute()
  return few(rows)
}
