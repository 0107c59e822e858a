import { type LogDetail, type LogEntry, type log, logList } from '@wattdeck/contract/system/log.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { columnsOf, ifGiven, organisePlace, type Source } from '../../../kit/db/list-query.ts'
import { containing } from '../../../kit/db/paging.ts'
import { placeOfAddress, type StoredChange } from './log.rules.ts'

type Filter = QueryOf<typeof log.list>

/** The log is partitioned by month. Without a first day it shows the last 31 days, so that only those partitions are read. */
function daysOf({ from, to }: Filter) {
  const end = to === undefined ? sql`now()` : sql`(${to}::date + 1)::timestamptz`
  const start = from === undefined ? sql`${end} - interval '31 days'` : sql`${from}::date::timestamptz`
  return [sql<boolean>`audit_log.at >= ${start}`, ...ifGiven(to, () => sql<boolean>`audit_log.at < ${end}`)]
}

export const logSource: Source = {
  table: 'audit_log',
  newestBy: 'audit_log.at',
  sorts: { at: [['audit_log.at', 'moment']] },
  place: async (query: Filter, reader) => [
    ...(await organisePlace('audit_log')(query as never, reader)),
    ...daysOf(query),
  ],
  computed: { ip: sql`host(audit_log.ip)`, traceId: sql`audit_log.request_id` },
  fill: { place: (rows: LogEntry[]) => rows.map(({ ip }) => placeOfAddress(ip)) },
  own: ({ operator, module }: Filter) => [
    ...ifGiven(
      operator,
      (text) =>
        sql<boolean>`(audit_log.user_name like ${containing(text)} or audit_log.login_name like ${containing(text)})`,
    ),
    ...ifGiven(module, (text) => sql<boolean>`audit_log.module like ${containing(text)}`),
  ],
}

export const readEntry = (db: Db, id: string) =>
  db
    .selectFrom('audit_log')
    .select([
      ...columnsOf(logList, logSource),
      'audit_log.reason',
      'audit_log.seq as sequence',
      'audit_log.changes',
      sql`encode(audit_log.hash, 'hex')`.as('hash'),
    ])
    .where('audit_log.id', '=', id)
    .$castTo<Omit<LogDetail, 'place' | 'changes'> & { changes: StoredChange[] }>()
    .executeTakeFirst()
