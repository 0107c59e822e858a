import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import type { log, LogEntry } from '@wattdeck/contract/system/log.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { containing, pageOf } from '../../../kit/db/paging.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import type { StoredChange } from './log.rules.ts'

export type Entry = Omit<LogEntry, 'place'>

const columns = [
  'audit_log.id',
  'audit_log.at',
  'audit_log.user_name as userName',
  'audit_log.login_name as loginName',
  sql<string | null>`(select organise.name from organise where organise.id = audit_log.organise_id)`.as('organiseName'),
  'audit_log.module',
  sql<Entry['kind']>`audit_log.kind`.as('kind'),
  'audit_log.content',
  'audit_log.path',
  sql<string | null>`host(audit_log.ip)`.as('ip'),
  'audit_log.duration_ms as durationMs',
  sql<Entry['result']>`audit_log.result`.as('result'),
  'audit_log.request_id as traceId',
] as const

export async function listLog(db: Db, scope: Scope, filter: QueryOf<typeof log.list>) {
  // The log is cut by month. Whoever names no first day is shown the last 31 days, so that only those parts are read.
  const end = filter.to === undefined ? sql`now()` : sql`(${filter.to}::date + 1)::timestamptz`
  const start = filter.from === undefined ? sql`${end} - interval '31 days'` : sql`${filter.from}::date::timestamptz`
  const matching = db
    .selectFrom('audit_log')
    // Named besides row security, which is a filter: the index needs a condition of its own.
    .$if(scope.level > 0, (query) => query.where('audit_log.organise_id', '=', scope.organiseId))
    .where('audit_log.at', '>=', sql<string>`${start}`)
    .$if(filter.to !== undefined, (query) => query.where('audit_log.at', '<', sql<string>`${end}`))
    .$if(filter.operator !== undefined, (query) =>
      query.where((row) =>
        row.or([
          row('audit_log.user_name', 'like', containing(filter.operator ?? '')),
          row('audit_log.login_name', 'like', containing(filter.operator ?? '')),
        ]),
      ),
    )
    .$if(filter.organiseId !== undefined, (query) => query.where('audit_log.organise_id', '=', filter.organiseId ?? ''))
    .$if(filter.module !== undefined, (query) =>
      query.where('audit_log.module', 'like', containing(filter.module ?? '')),
    )
    .$if(filter.kind !== undefined, (query) => query.where('audit_log.kind', '=', filter.kind ?? ''))
    .$if(filter.result !== undefined, (query) => query.where('audit_log.result', '=', filter.result ?? 1))
  const found = await pageOf(db, matching, filter, {
    // With its parts of a second: many lines are written in one.
    columns: (query) => query.select(columns).select(sql<string>`audit_log.at::text`.as('exactly')),
    key: { columns: ['audit_log.at', 'audit_log.id'], of: (row) => [row.exactly, row.id] },
  })
  return { ...found, rows: found.rows.map(({ exactly: _exactly, ...row }): Entry => row) }
}

export const readEntry = (db: Db, id: string) =>
  db
    .selectFrom('audit_log')
    .select(columns)
    .select(['audit_log.reason', 'audit_log.seq as sequence'])
    .select([
      sql<StoredChange[]>`audit_log.changes`.as('changes'),
      sql<string>`encode(audit_log.hash, 'hex')`.as('hash'),
    ])
    .where('audit_log.id', '=', id)
    .executeTakeFirst()
