import { allRoutes } from '@wattdeck/contract/all-routes.ts'
import { sortableFields } from '@wattdeck/contract/kit/list-filter.ts'
import type { Page } from '@wattdeck/contract/kit/page.ts'
import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { download } from '@wattdeck/contract/system/download.ts'
import { pino } from 'pino'
import readExcel from 'read-excel-file/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { superuserUrl } from '../../../../tools/ops/database.ts'
import { isInScope } from '../../../../tools/check/tier.ts'
import { listExports } from '../../src/app/features.ts'
import { type ListExport, runExport } from '../../src/kit/bulk/exports.ts'
import { createPool } from '../../src/kit/db/db.ts'
import { copyRows } from '../fixtures/many-rows.ts'
import { startApi, type TestApi } from '../harness/api.ts'
import { collectFailures, loop } from './collect-failures.ts'
import { makeRouteFixture, type RouteFixture } from './route-fixture.ts'

/** Loop over all sortable lists: each sort order shows the same rows, each once, over all pages. */
let api: TestApi
let there: RouteFixture
let pool: ReturnType<typeof createPool>
type Row = { id: string } & Record<string, unknown>
type SortableList = (typeof sortableLists)[number]

const sortableLists = allRoutes
  .map(({ feature, name, route }) => ({ feature, name, route, fields: sortableFields(route.query) }))
  .filter(({ fields }) => fields.length > 0)

const later = { created_at: "base.created_at + n * interval '1 minute'" }
/** An order number encodes its time: this order is n minutes later. */
const laterId = { id: 'base.id + n * (60000::bigint << 22)' }
/** Rows to copy, with the columns that differ because they are unique. Some sort values are equal. */
const copies: { table: string; where?: string; changed: Record<string, string> }[] = [
  { table: 'charging_order', where: 'status = 3', changed: { ...laterId, device_order_no: 'null' } },
  { table: 'charging_order', where: 'status in (1, 2)', changed: { ...laterId, device_order_no: 'null' } },
  { table: 'pay_order', changed: { ...laterId, ...later } },
  { table: 'recharge_order', changed: { ...laterId, ...later } },
  { table: 'refund_order', changed: later },
  {
    table: 'device',
    changed: {
      ...later,
      device_no: "'SORT' || n",
      wire_id: "'SORT' || n",
      imei: 'null',
      iccid: 'null',
      service_until: "date '2030-01-01' + (n / 2)::int",
    },
  },
  { table: 'member', changed: { phone: "'139' || lpad(n::text, 8, '0')" } },
  {
    table: 'member_identity',
    changed: {
      member_id: 'base.member_id + n * 4096',
      channel: '1 + n % 2',
      open_id: "'sort' || n",
      union_id: 'null',
      linked_at: "base.linked_at - (n / 4) * interval '1 hour'",
    },
  },
  { table: 'audit_log', changed: { at: "base.at - (n / 2) * interval '1 minute'", seq: 'base.seq + n' } },
]

beforeAll(async () => {
  api = await startApi()
  pool = createPool(api.config.workerDatabaseUrl, 2)
  there = await makeRouteFixture(api)
  for (const { table, where = 'true', changed } of copies) {
    const [row] = await api.sql<{ id: string }>(
      `select id from ${table} where organise_id = $1 and ${where} order by id limit 1`,
      [there.fixture.green.id],
    )
    const copy = { table, of: row?.id ?? '', count: 14, changed: { id: 'base.id + n * 4096', ...changed } }
    await copyRows(superuserUrl(api.database), [copy])
  }
})

afterAll(() => pool.end())

async function wholeList({ route }: SortableList, sort?: string): Promise<Row[]> {
  const rows: Row[] = []
  let cursor: string | null = null
  for (let pageNum = 1; ; pageNum++) {
    const query = { pageNum, pageSize: 3, ...(sort ? { sort } : {}), ...(cursor === null ? {} : { cursor }) }
    const reply = await api.call(there.fixture.green.admin.token, route, { query: query as never })
    expect(reply).toMatchObject({ status: 200 })
    const page = reply.data as Page<Row>
    rows.push(...page.rows)
    cursor = page.cursor
    if (cursor === null) return rows
  }
}
/** The rows of the file below its header. */
async function fileRows(list: ListExport | undefined, ask: AnyRoute | undefined, sort: string): Promise<unknown[]> {
  if (list === undefined || ask === undefined) throw new Error('the list has no file')
  const { token } = there.fixture.green.admin
  const body = { columns: Object.keys(list.columns), query: `sort=${sort}` }
  const exportReply = await api.call(token, ask, { body: body as never })
  const { id } = exportReply.data as { id: string }
  await runExport({ pool, files: api.deps.files, log: pino({ level: 'silent' }) }, listExports, id)
  const { bytes } = await api.call(token, download.file, { body: { id } })
  const [sheet] = await readExcel(bytes ?? Buffer.alloc(0))
  return (sheet?.data ?? []).slice(1)
}
const ids = (rows: readonly Row[]) => rows.map(({ id }) => id)

describe('every list that can be sorted', loop, () => {
  it('shows the same rows once in each sort order, with descending the reverse of ascending', async () => {
    const failures = await collectFailures(
      sortableLists.filter(({ feature }) => isInScope(feature)),
      ({ feature, name }) => `${feature}.${name}`,
      async (list) => {
        const usual = ids(await wholeList(list)).toSorted()
        expect(usual.length).toBeGreaterThan(5)
        for (const field of list.fields) {
          const [up, down] = [await wholeList(list, field), await wholeList(list, `-${field}`)]
          expect(ids(up).toSorted(), field).toEqual(usual)
          expect(ids(down), field).toEqual(ids(up).toReversed())
          const values = up.map((row) => String(row[field]))
          expect(values, field).toEqual(values.toSorted())
          expect(new Set(values).size, field).toBeGreaterThan(1)
        }
      },
    )
    expect(failures).toEqual([])
  })

  it('exports its file in the order of the list', async () => {
    const failures = await collectFailures(
      sortableLists.filter(({ feature }) => isInScope(feature)),
      ({ feature }) => feature,
      async ({ feature, route, fields }) => {
        const list = [...listExports.values()].find((one) => one.route === route)
        const ask = allRoutes.find((one) => one.feature === feature && one.name === 'exportList')?.route
        for (const field of fields) {
          const [up, down] = [await fileRows(list, ask, field), await fileRows(list, ask, `-${field}`)]
          expect(up.length, field).toBeGreaterThan(5)
          // The second file of the log also contains the entry of the first export.
          const ascendingRows = new Set(up.map((row) => JSON.stringify(row)))
          expect(
            down.filter((row) => ascendingRows.has(JSON.stringify(row))),
            field,
          ).toEqual(up.toReversed())
        }
      },
    )
    expect(failures).toEqual([])
  })

  it('refuses a cursor of another sort order', async () => {
    const device = sortableLists.find(({ feature }) => feature === 'deviceManage')
    const token = there.fixture.green.admin.token
    const page = { pageNum: 1, pageSize: 3 }
    for (const [sortOfCursor, sort] of [
      ['serviceUntil', 'createdAt'],
      ['createdAt', 'serviceUntil'],
    ]) {
      const first = await api.call(token, device?.route as never, { query: { ...page, sort: sortOfCursor } as never })
      const { cursor } = first.data as Page<Row>
      const query = { ...page, pageNum: 2, sort, cursor } as never
      expect(await api.call(token, device?.route as never, { query })).toMatchObject({ status: 422 })
    }
  })
})
