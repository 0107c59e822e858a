import { log, logColumns, type LogEntry, logKind, logResult } from '@wattdeck/contract/system/log.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import type { Db } from '../../../kit/db/db.ts'
import { listExport } from '../../../kit/bulk/exports.ts'
import type { Paging } from '../../../kit/db/paging.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import type { Cell } from '../../../kit/bulk/sheets/cell.ts'
import { placeOfAddress } from './log.rules.ts'
import { listLog } from './log.store.ts'

/** A page of the log as it is shown. */
export async function logPage(db: Db, scope: Scope, query: QueryOf<typeof log.list> & Paging) {
  const found = await listLog(db, scope, query)
  return { ...found, rows: found.rows.map((row): LogEntry => ({ ...row, place: placeOfAddress(row.ip) })) }
}

const cellOf: Record<keyof typeof logColumns, (row: LogEntry) => Cell> = {
  at: (row) => row.at,
  userName: (row) => row.userName,
  loginName: (row) => row.loginName,
  organiseName: (row) => row.organiseName,
  module: (row) => row.module,
  kind: (row) => logKind.show(row.kind).label,
  content: (row) => row.content,
  result: (row) => logResult.show(row.result).label,
  ip: (row) => row.ip,
  place: (row) => row.place,
  durationMs: (row) => row.durationMs,
  path: (row) => row.path,
  traceId: (row) => row.traceId,
}

export const logExport = listExport({
  list: 'log',
  title: '操作日志',
  module: '日志管理',
  route: log.list,
  read: logPage,
  columns: Object.fromEntries(
    Object.entries(logColumns).map(([key, title]) => [key, { title, of: cellOf[key as keyof typeof logColumns] }]),
  ),
})
