import type { exportList } from '@wattdeck/contract/kit/bulk.ts'
import { type Field, shownNames } from '@wattdeck/contract/kit/fields.ts'
import type { List } from '@wattdeck/contract/kit/list.ts'
import type { Page } from '@wattdeck/contract/kit/page.ts'
import type { DataOf } from '@wattdeck/contract/kit/route.ts'
import { listQuery, type Source } from '../db/list-query.ts'
import type { Handlers } from '../http/handlers.ts'
import { type ListExport, listExport, requestExport } from './exports.ts'
import type { Cell } from './sheets/cell.ts'

type ReadParams = Parameters<ListExport['read']>
type ReadList = (...params: ReadParams) => Promise<Page<unknown>>
type Row = Readonly<Record<string, unknown>>

function cellOf({ kind, codes, format, derive }: Field, name: string, row: Row): Cell {
  if (derive !== undefined) return derive(row as never)
  const value = row[name]
  if (value === null || value === undefined) return null
  if (format !== undefined) return format(value as never)
  if (kind === 'money') return { decimal: value as string }
  if (kind === 'flag') return value === true ? '是' : '否'
  if (kind === 'names') return (value as string[]).join('、')
  if (kind === 'codes') return (value as never[]).map((code) => codes?.show(code).label).join('、')
  return codes === undefined ? (value as Cell) : codes.show(value as never).label
}

type RowOf<L extends List> = DataOf<L['routes']['list']>['rows'][number]
type Changes<L extends List> = Partial<Pick<ListExport, 'title' | 'pack'>> & {
  /** Columns that are not fields, or that the file formats differently from the page. */
  columns?: Readonly<Record<string, { title: string; of: (row: RowOf<L>) => Cell }>>
}

/**
 * The export of a list of `defineList`, with every field that the page can show. `name` is the list's name in downloads.
 * `changes` override the title, columns, or add a file for each row. A list with its own query passes it as `source`.
 */
export function exportOf<L extends List>(
  name: string,
  list: L,
  source: Source | ReadList,
  { columns: ownColumns, ...changes }: Changes<L> = {},
): ListExport {
  const columnOf = (key: string) => {
    const field = list.fields[key] as Field
    return { title: field.title, of: (row: Row) => cellOf(field, key, row) }
  }
  const file = listExport({
    list: name,
    title: list.module,
    module: list.module,
    route: list.routes.list,
    read: (typeof source === 'function'
      ? source
      : (...[db, scope, query]: ReadParams) => listQuery(db, scope, list, source, query)) as never,
    columns: { ...Object.fromEntries(shownNames(list.fields).map((key) => [key, columnOf(key)])), ...ownColumns },
  })
  return { ...file, ...changes }
}

/** Handler that enqueues the export of a list. */
export const exportHandler =
  (file: ListExport): Handlers<{ exportList: ReturnType<typeof exportList> }>['exportList'] =>
  (ctx) => {
    ctx.setAuditDetail(ctx.body.conditions ?? '全部')
    ctx.setMessage('导出任务已提交，请前往「下载管理」查看')
    return requestExport(ctx, file, ctx.body)
  }
