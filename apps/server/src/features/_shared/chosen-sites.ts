import type { ChosenRows } from '@wattdeck/contract/kit/bulk.ts'
import { site } from '@wattdeck/contract/system/site.ts'
import { sql } from 'kysely'
import type { Db } from '../../kit/db/db.ts'
import { filterOf } from '../../kit/http/forms.ts'
import { invalid } from '../../kit/http/refusal.ts'
import type { Scope } from '../../kit/db/scope.ts'
import { sitesMatching } from './site-filter.ts'

/** Selects sites by ids or by a filter; exactly one of the two must be present. */
export function chosenSites(db: Db, scope: Scope, { ids, filter }: ChosenRows) {
  if ((ids === undefined) === (filter === undefined)) throw invalid('当前未选择任何记录')
  const matching = sitesMatching(db, scope, filter === undefined ? {} : filterOf(site.list, filter))
  const chosen = ids === undefined ? matching : matching.where('site.id', '=', sql<string>`any(${ids})`)
  return { targets: chosen.select(['site.id', 'site.name as label']), expected: ids && new Set(ids).size }
}
