import type { exportList } from '@wattdeck/contract/kit/bulk.ts'
import { type Field, shownNames } from '@wattdeck/contract/kit/fields.ts'
import type { List } from '@wattdeck/contract/kit/list.ts'
import type { DataOf } from '@wattdeck/contract/kit/route.ts'
import { listQuery, type Source } from '../db/list-query.ts'
import type { Handlers } from '../http/handlers.ts'
import { type ListExport, listExport, requestExport } from './exports.ts'
import type { Cell } from './sheets/cell.ts'

function cellOf({ kind, codes, format }: Field, value: unknown): Cell {
  if (value === null || value === undefined) return null
  if (format !== undefined) return format(value as never)
  if (kind === 'money') return { decimal: value as string }
  if (kind === 'flag') return value === true ? '是' : '否'
  if (kind === 'names') return (value as string[]).join('、')
  return codes === undefined ? (value as Cell) : codes.show(value as never).label
}

type RowOf<L extends List> = DataOf<L['routes']['list']>['rows'][number]
type Changes<L extends List> = Partial<Omit<ListExport, 'columns'>> & {
  /** Columns that are no field, or that the file writes in another way than the page. */
  columns?: Readonly<Record<string, { title: string; of: (row: RowOf<L>) => Cell }>>
}

/**
 * The file of a list of `defineList`: every field that the page can show. `name` is the list's name in downloads;
 * `changes` name what differs from the page: the title, columns, how rows are read, or a file for each row.
 */
export function exportOf<L extends List>(
  name: string,
  list: L,
  source: Source,
  { columns: ownColumns, ...changes }: Changes<L> = {},
): ListExport {
  const columnOf = (key: string) => {
    const field = list.fields[key] as Field
    const of = (row: Readonly<Record<string, unknown>>) =>
      field.view === undefined ? cellOf(field, row[key]) : field.view(row as never)
    return { title: field.title, of }
  }
  const file = listExport({
    list: name,
    title: list.module,
    module: list.module,
    route: list.routes.list,
    read: (db, scope, query) => listQuery(db, scope, list, source, query),
    columns: { ...Object.fromEntries(shownNames(list.fields).map((key) => [key, columnOf(key)])), ...ownColumns },
  })
  return { ...file, ...changes }
}

/** Asks a worker for the file of a list. */
export const exportHandler =
  (file: ListExport): Handlers<{ exportList: ReturnType<typeof exportList> }>['exportList'] =>
  (ctx) => {
    ctx.setAuditDetail(ctx.body.conditions ?? '全部')
    ctx.setMessage('导出任务已提交，请前往「下载管理」查看')
    return requestExport(ctx, file, ctx.body)
  }
