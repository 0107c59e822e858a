import { PassThrough } from 'node:stream'
import type { Access, AnyRoute, QueryOf } from '@wattdeck/contract/kit/route.ts'
import { downloadFlow } from '@wattdeck/contract/system/download.ts'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Logger } from 'pino'
import { loadJobActor, mayAct } from '../auth/job-actor.ts'
import { type Actor, placeOf } from '../auth/actor.ts'
import type { BatchCtx } from './batch-kind.ts'
import { type Db, inScope, commit } from '../db/db.ts'
import type { Files } from '../files/files.ts'
import { filterOf } from '../http/forms.ts'
import type { Enqueue } from '../jobs/jobs.ts'
import { notify, publishLive } from '../events/outbox.ts'
import type { Paging } from '../db/paging.ts'
import { invalid, Refusal } from '../http/refusal.ts'
import type { Scope } from '../db/scope.ts'
import { writeCsv } from './sheets/write-csv.ts'
import { type PackedFile, writePack } from './sheets/write-pack.ts'
import type { Cell } from './sheets/cell.ts'
import { writeXlsx } from './sheets/write-xlsx.ts'
import { systemScope } from '../db/system-scope.ts'

/** Limit of a workbook. Longer lists become CSV, because spreadsheet programs open them slowly or not at all. */
const xlsxRows = 100_000
const maxRows = 2_000_000
/** An archive of pictures has an entry for each row; the zip format allows 65,535 entries. */
const packRows = 50_000
const pageSize = 500
const keptDays = 7

type ReadPage<Q, Row> = (
  db: Db,
  scope: Scope,
  query: Q & Paging,
) => Promise<{ total: number | null; bounded: boolean; cursor: string | null; rows: Row[] }>

/** A list that can be exported with the query of its page. */
export type ListExport = {
  list: string
  title: string
  module: string
  /** The list's route: its query schema parses the filter, its reply schema masks the rows. */
  route: AnyRoute
  read: ReadPage<never, unknown>
  columns: Record<string, { title: string; of: (row: never) => Cell }>
  /** Exports an archive with a file for each row and a table of the rows, instead of a sheet. */
  pack?: (row: never) => PackedFile
}
/** Defines an export with typed rows. */
export const listExport = <R extends AnyRoute, Row>(list: {
  list: string
  title: string
  module: string
  route: R
  read: ReadPage<QueryOf<R>, Row>
  columns: Record<string, { title: string; of: (row: Row) => Cell }>
  pack?: (row: Row) => PackedFile
}): ListExport => list as unknown as ListExport

/** Builds the columns of a file from titles; `cellOf` returns a cell. */
export const titledColumns = <K extends string, Row>(
  titles: Readonly<Record<K, string>>,
  cellOf: (key: K, row: Row) => Cell,
) =>
  Object.fromEntries(
    Object.entries<string>(titles).map(([key, title]) => [key, { title, of: (row: Row) => cellOf(key as K, row) }]),
  )

type Params = { query?: string | undefined; conditions?: string | undefined; columns: string[] }

/** Stores and enqueues an export request; a worker creates the file. */
export async function requestExport(
  { db, actor, enqueue }: BatchCtx & { enqueue: Enqueue },
  list: ListExport,
  { query = '', conditions = '全部', columns }: Params,
): Promise<{ id: string }> {
  if (columns.some((key) => !Object.hasOwn(list.columns, key))) throw invalid('请选择要导出的列')
  filterOf(list.route, query) // refuses an invalid filter now, not in the worker
  const row = await db
    .insertInto('download')
    .values({
      ...placeOf(actor),
      user_id: actor.userId,
      list: list.list,
      title: list.title,
      module: list.module,
      query,
      conditions,
      columns,
      created_by: actor.userName,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await enqueue('export.run', { downloadId: row.id })
  return row
}

type Order = NonNullable<Awaited<ReturnType<typeof takeOrder>>>
type Deps = { pool: pg.Pool; files: Files; log: Logger }

/** Creates the file from the beginning. A retry overwrites the partial file of a crashed worker. */
export async function runExport(deps: Deps, lists: ReadonlyMap<string, ListExport>, downloadId: string): Promise<void> {
  const { pool, log } = deps
  const order = await takeOrder(pool, downloadId)
  if (order === undefined) return
  try {
    const list = lists.get(order.list)
    const actor = await loadJobActor(pool, order.user_id)
    if (list === undefined) throw new Refusal(422, '列表已不受支持')
    // Checks the current right to export the list, not the right at the request.
    if (actor === undefined || !mayAct(actor, exporting(list))) throw new Refusal(403, '您没有该操作的权限')
    await finish(pool, order, await writeFile(deps, list, actor, order))
  } catch (error) {
    const isRefusal = error instanceof Refusal && error.status < 500
    if (!isRefusal) log.error({ err: error, downloadId }, 'export failed')
    await fail(pool, order, isRefusal ? error.message : '生成文件时出错，请重试')
  }
}

/** The access that an export needs: the action `export` of the list's menu. A list without a menu cannot be exported. */
function exporting({ list, route }: ListExport): Access {
  if (typeof route.access !== 'object') throw new Error(`the list ${list} has no menu`)
  return { ...route.access, action: 'export' }
}

const takeOrder = (pool: pg.Pool, id: string) =>
  inScope(pool, systemScope, 'write', async ({ db }) => {
    const order = await db
      .updateTable('download')
      .set({
        status: downloadFlow.to('start'),
        reason: null,
        // A random name cannot be guessed. A retry keeps the name and overwrites the object.
        object_key: sql<string>`coalesce(object_key, 'export/' || organise_id || '/' || gen_random_uuid())`,
      })
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .where('status', '=', sql<number>`any(${downloadFlow.from('start')})`)
      .returning([
        'id',
        'organise_id',
        'agent_id',
        'site_id',
        'user_id',
        'list',
        'title',
        'query',
        'columns',
        'object_key',
      ])
      .executeTakeFirst()
    if (order !== undefined) await publishLive(db, order, order.user_id, { kind: 'changed', list: 'download' })
    return commit(order)
  })

async function writeFile({ pool, files }: Deps, list: ListExport, actor: Actor, order: Order) {
  const filter = filterOf(list.route, order.query) as object
  const readPage = (paging: Paging) =>
    inScope(pool, actor.scope, 'read', async ({ db }) =>
      commit(list.route.data.parse(await list.read(db, actor.scope, { ...filter, ...paging } as never)) as PageOf),
    )
  const { total } = await readPage({ pageNum: 1, pageSize: 1, countTo: xlsxRows + 1 })
  const format = list.pack === undefined ? ((total ?? 0) > xlsxRows ? 'csv' : 'xlsx') : 'zip'
  const limit = format === 'zip' ? packRows : maxRows
  const columns = order.columns.flatMap((key) => list.columns[key] ?? [])
  let rows = 0
  async function* all(): AsyncGenerator<never> {
    let cursor: string | undefined
    for (let pageNum = 1; ; pageNum++) {
      const page = await readPage({ pageNum, pageSize, cursor, skipCount: true })
      rows += page.rows.length
      if (rows > limit) throw new Refusal(422, `超过${limit}行，请缩小查询范围`)
      yield* page.rows as never[]
      if (page.cursor === null) {
        // A list without keyset pagination has no next page; an incomplete export must fail.
        if (page.rows.length === pageSize) throw new Error(`the list ${list.list} has no keyset pagination`)
        return
      }
      cursor = page.cursor
    }
  }
  const through = new PassThrough({ highWaterMark: 256 * 1024 })
  const stored = files.putStream(order.object_key ?? '', through, fileType[format])
  stored.catch((error: Error) => through.destroy(error))
  const head = columns.map((column) => column.title)
  const cellsOf = (row: never) => columns.map((column) => column.of(row))
  async function* cells(): AsyncGenerator<Cell[]> {
    for await (const row of all()) yield cellsOf(row)
  }
  async function* packed(): AsyncGenerator<{ file: PackedFile; cells: Cell[] }> {
    for await (const row of all()) if (list.pack !== undefined) yield { file: list.pack(row), cells: cellsOf(row) }
  }
  const writers = {
    xlsx: () => writeXlsx(head, cells(), through),
    csv: () => writeCsv(head, cells(), through),
    zip: () => writePack(head, packed(), through),
  }
  try {
    await writers[format]()
  } catch (error) {
    through.destroy(error as Error)
    await stored.catch(() => undefined)
    throw error
  }
  return { format, rows, bytes: await stored } as const
}

type PageOf = { total: number | null; cursor: string | null; rows: unknown[] }
export const fileType = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
  zip: 'application/zip',
} as const

async function finish(pool: pg.Pool, order: Order, file: Awaited<ReturnType<typeof writeFile>>): Promise<void> {
  await inScope(pool, systemScope, 'write', async ({ db }) => {
    await db
      .updateTable('download')
      .set({
        status: downloadFlow.to('finish'),
        format: file.format,
        rows: file.rows,
        bytes: String(file.bytes),
        finished_at: sql<string>`now()`,
        expires_at: sql<string>`now() + make_interval(days => ${keptDays})`,
      })
      .where('id', '=', order.id)
      .where('status', '=', sql<number>`any(${downloadFlow.from('finish')})`)
      .execute()
    await publishLive(db, order, order.user_id, { kind: 'changed', list: 'download' })
    const body = `${order.title}已生成，共${file.rows}行，${keptDays}天内可下载`
    await notify(
      db,
      { ...order, userId: order.user_id },
      { type: 0, title: '导出完成', body, route: '/system/download' },
    )
    return commit(undefined)
  })
}

async function fail(pool: pg.Pool, order: Order, reason: string): Promise<void> {
  await inScope(pool, systemScope, 'write', async ({ db }) => {
    await db
      .updateTable('download')
      .set({ status: downloadFlow.to('fail'), reason, finished_at: sql<string>`now()` })
      .where('id', '=', order.id)
      .where('status', '=', sql<number>`any(${downloadFlow.from('fail')})`)
      .execute()
    await publishLive(db, order, order.user_id, { kind: 'changed', list: 'download' })
    return commit(undefined)
  })
}
