import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import type { site } from '@wattdeck/contract/system/site.ts'
import { sql } from 'kysely'
import type { Db } from '../../kit/db/db.ts'
import type { Search } from '../../kit/db/keyword.ts'
import { agentsBelow } from '../../kit/db/ownership.ts'
import { beginning, containing, type Paging } from '../../kit/db/paging.ts'
import type { Scope } from '../../kit/db/scope.ts'

export type SiteFilter = Omit<QueryOf<typeof site.list>, keyof Paging>

/**
 * The sites that match a filter. Repeats the conditions of row-level security so that the planner can use an index.
 * Without a previous search it compares every name: such callers need the whole result, and a search would not be
 * faster.
 */
export function sitesMatching(db: Db, scope: Scope, filter: SiteFilter, search?: Search) {
  const { keyword, organiseId, agentId, provinceCode, cityCode, districtCode, type, status, siteId } = filter
  return db
    .selectFrom('site')
    .where('site.deleted_at', 'is', null)
    .$if(scope.level > 0, (query) => query.where('site.organise_id', '=', scope.organiseId))
    .$if(scope.level === 2, (query) => query.where('site.agent_id', '=', sql<string>`any(${scope.agentIds})`))
    .$if(scope.level === 3, (query) => query.where('site.id', '=', sql<string>`any(${scope.siteIds})`))
    .$if(siteId !== undefined, (query) => query.where('site.id', '=', siteId ?? ''))
    .$if(organiseId !== undefined, (query) => query.where('site.organise_id', '=', organiseId ?? ''))
    .$if(agentId !== undefined, (query) =>
      query.where('site.agent_id', '=', sql<string>`${agentsBelow(agentId ?? '')}`),
    )
    .$if(provinceCode !== undefined, (query) => query.where('site.province_code', '=', provinceCode ?? ''))
    .$if(cityCode !== undefined, (query) => query.where('site.city_code', '=', cityCode ?? ''))
    .$if(districtCode !== undefined, (query) => query.where('site.district_code', '=', districtCode ?? ''))
    .$if(type !== undefined, (query) => query.where('site.type', '=', type ?? 0))
    .$if(status !== undefined, (query) => query.where('site.status', '=', status ?? 0))
    .$if(keyword !== undefined, (query) =>
      query
        .where(spelt(keyword ?? ''))
        .$if(search !== undefined && search.ids !== null, (few) =>
          few.where('site.id', '=', sql<string>`any(${search?.ids ?? []})`),
        ),
    )
}

/** A tail stores only a part of a long name, so the query also compares the name itself. */
const spelt = (keyword: string) =>
  sql<boolean>`(lower(site.name) like ${containing(keyword.toLowerCase())} or lower(site.code) like ${beginning(keyword.toLowerCase())})`
