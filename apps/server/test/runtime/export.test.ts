import { readFileSync } from 'node:fs'
import { download, downloadStatus } from '@wattdeck/contract/system/download.ts'
import { shownNames } from '@wattdeck/contract/kit/fields.ts'
import { site, siteList } from '@wattdeck/contract/system/site.ts'
import readExcel from 'read-excel-file/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { atTier } from '../../../../tools/check/tier.ts'
import { startApi, type TestApi } from '../harness/api.ts'
import { type Actor, makePerson, makeFixture, type Fixture } from '../harness/people.ts'
import { startWorkerProcess } from '../harness/process.ts'
import { until } from '../harness/until.ts'

/** The export of a list: by its own query, masked, in little memory, for its creator only. */
let api: TestApi
let fixture: Fixture
let clerk: Actor
let worker: Awaited<ReturnType<typeof startWorkerProcess>>
const menus = ['1', '1.1', '1.1.5', '1.4', '1.4.4']
const columns = shownNames(siteList.fields)
beforeAll(async () => {
  api = await startApi()
  fixture = await makeFixture(api)
  clerk = await makePerson(api, { organiseId: fixture.green.id, loginName: 'green_exports', menus })
  worker = await startWorkerProcess(api.config)
})
afterAll(() => worker.stop())

const memory = (field: 'VmRSS' | 'VmHWM') =>
  Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${worker.child.pid}/status`, 'utf8'))?.[1]) /
  1024

async function exported(query: string | undefined) {
  const exportReply = await api.call(clerk.token, site.exportList, {
    body: { ...(query === undefined ? {} : { query }), columns } as never,
  })
  expect(exportReply).toMatchObject({ status: 200, message: '导出任务已提交，请前往「下载管理」查看' })
  return until(async () => {
    const { status, message, data } = await api.call(clerk.token, download.list)
    if (status !== 200) throw new Error(message)
    const row = data.rows.find((one) => one.id === exportReply.data.id)
    return row !== undefined && row.status >= downloadStatus.code.done ? row : undefined
  })
}
const bytesOf = async (id: string, token = clerk.token) =>
  fetch(`${api.url}${download.file.path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-www-form-urlencoded' },
    body: `id=${id}`,
  })

describe('a small list', () => {
  it('is exported as a valid sheet, with the rows and the labels of the screen, masked', async () => {
    await api.sql(
      `insert into site (organise_id, name, code, type, phone, contact, parking_spaces, remark)
       values ($1, '锦绣华庭', 'EX-1', 3, '13812345678', '吴小燕', 12, '=HYPERLINK("http://x","y")'), ($1, '停用站点', 'EX-2', 1, null, null, 3, null)`,
      [fixture.green.id],
    )
    await api.sql("update site set status = 0 where code = 'EX-2'")
    const row = await exported('type=3')
    expect(row).toMatchObject({ status: downloadStatus.code.done, format: 'xlsx', rows: 1, own: true })
    const reply = await bytesOf(row.id)
    expect(reply.headers.get('content-disposition')).toContain('attachment')
    const sheet = await readExcel(Buffer.from(await reply.arrayBuffer()))
    const rows = (
      Array.isArray(sheet) && sheet.length > 0 && 'data' in (sheet[0] as object)
        ? (sheet[0] as unknown as { data: unknown[][] }).data
        : sheet
    ) as unknown[][]
    expect(rows[0]).toEqual(columns.map((name) => siteList.fields[name as keyof typeof siteList.fields].title))
    const cell = (key: keyof typeof siteList.fields) => rows[1]?.[columns.indexOf(key)]
    expect(cell('name')).toBe('锦绣华庭')
    expect(cell('type')).toBe('学校')
    expect(cell('phone')).toBe('138****5678')
    expect(cell('parkingSpaces')).toBe(12)
    expect(cell('remark')).toBe('=HYPERLINK("http://x","y")')
  })

  it('can be fetched by its creator only, and each download is in the log', async () => {
    const { id } = await exported('status=0')
    const colleague = await makePerson(api, { organiseId: fixture.green.id, loginName: 'green_curious', menus })
    expect((await bytesOf(id, colleague.token)).status).toBe(404)
    const other = await makePerson(api, { organiseId: fixture.swift.id, loginName: 'swift_curious', menus })
    expect((await bytesOf(id, other.token)).status).toBe(404)
    expect((await api.call(other.token, download.list)).data.rows).toEqual([])
    expect((await bytesOf(id)).status).toBe(200)
    const logged = await api.sql(
      "select from audit_log where content like '下载文件%' and result = 1 and user_id = $1",
      [clerk.id],
    )
    expect(logged.length).toBeGreaterThan(0)
  })

  it('[attack.L7] is stored under a name that cannot be guessed from its number', async () => {
    const { id } = await exported('status=0')
    const [row] = await api.sql<{ object_key: string }>('select object_key from download where id = $1', [id])
    expect(row?.object_key).toMatch(
      new RegExp(`^export/${fixture.green.id}/[\\da-f]{8}(-[\\da-f]{4}){3}-[\\da-f]{12}$`),
    )
    await expect(api.deps.files.getStream(`export/${fixture.green.id}/${id}.xlsx`)).rejects.toThrow(
      '记录不存在或已被删除',
    )
  })

  it('contains only rows that its creator may see when it is written, and fails without the menu', async () => {
    const leaver = await makePerson(api, { organiseId: fixture.green.id, loginName: 'green_leaving', menus })
    await worker.stop()
    const exportReply = await api.call(leaver.token, site.exportList, { body: { columns: ['name'] } as never })
    await api.sql(
      "delete from role_menu where role_id = $1 and menu_id = (select id from menu where menu_key = '1.4.4')",
      [leaver.roleId],
    )
    worker = await startWorkerProcess(api.config)
    const [row] = await until(async () => {
      const rows = await api.sql<{ status: number; reason: string }>(
        'select status, reason from download where id = $1 and status > 1',
        [exportReply.data.id],
      )
      return rows.length > 0 ? rows : undefined
    })
    expect(row).toEqual({ status: downloadStatus.code.failed, reason: '您没有该操作的权限' })
  })

  it('expires after its day: it cannot be fetched, its object is removed, and a request creates it again', async () => {
    const { id } = await exported('status=0')
    const [before] = await api.sql<{ object_key: string }>('select object_key from download where id = $1', [id])
    await api.sql("update download set expires_at = now() - interval '1 second' where id = $1", [id])
    expect((await bytesOf(id)).status).toBe(409)
    await api.deps.boss.send('housekeeping', {})
    const stateOf = async () =>
      (
        await api.sql<{ status: number; object_key: string | null }>(
          'select status, object_key from download where id = $1',
          [id],
        )
      )[0]
    await until(async () => ((await stateOf())?.status === downloadStatus.code.expired ? true : undefined))
    expect(await stateOf()).toEqual({ status: downloadStatus.code.expired, object_key: null })
    await until(() =>
      api.deps.files.getStream(before?.object_key ?? '').then(
        ({ body }) => void body.destroy(),
        () => true,
      ),
    )
    expect((await api.call(clerk.token, download.retry, { body: { id } })).status).toBe(200)
    await until(async () => ((await stateOf())?.status === downloadStatus.code.done ? true : undefined))
    expect((await bytesOf(id)).status).toBe(200)
  })

  it('is not created for a person who may read the list but not export it', async () => {
    const reader = await makePerson(api, { organiseId: fixture.green.id, loginName: 'green_reads_only', menus })
    await worker.stop()
    const exportReply = await api.call(reader.token, site.exportList, { body: { columns: ['name'] } as never })
    await api.sql(
      "delete from role_resource where role_id = $1 and resource_id in (select id from resource where code = '1.4.4:export')",
      [reader.roleId],
    )
    worker = await startWorkerProcess(api.config)
    const [row] = await until(async () => {
      const rows = await api.sql<{ reason: string }>('select reason from download where id = $1 and status > 1', [
        exportReply.data.id,
      ])
      return rows.length > 0 ? rows : undefined
    })
    expect(row).toEqual({ reason: '您没有该操作的权限' })
  })

  it('is refused for columns that the list does not have', async () => {
    const exportReply = await api.call(clerk.token, site.exportList, { body: { columns: ['password_hash'] } as never })
    expect(exportReply.status).toBe(422)
  })
})

// A sheet has at most 100,000 rows; a longer list becomes plain text.
const longRows = atTier(100_001, 200_000)

describe('a list that is too long for a sheet', () => {
  it('becomes plain text with the count and the sum of the list, in less than 100 MB', async () => {
    // The test only reads these rows.
    await api.sql('alter table site disable trigger user')
    await api.sql(
      `insert into site (organise_id, name, type, parking_spaces, phone, code)
       select $1, '大批站点' || n, 5, n % 97, '1390000' || lpad((n % 10000)::text, 4, '0'), 'LONG-' || n from generate_series(1, $2::int) n`,
      [fixture.green.id, longRows],
    )
    await api.sql('alter table site enable trigger user')
    await api.sql('analyze site')
    const totals = (await api.call(clerk.token, site.totals, { query: { type: 5 } as never })).data
    expect(totals.count).toBe(longRows)
    const before = memory('VmRSS')
    const row = await exported('type=5')
    expect(row).toMatchObject({ status: downloadStatus.code.done, format: 'csv', rows: longRows })
    const growth = memory('VmHWM') - before
    const lines = (await (await bytesOf(row.id)).text()).trimEnd().split('\r\n')
    expect(lines).toHaveLength(longRows + 1)
    const spaces = columns.indexOf('parkingSpaces')
    const cells = lines.slice(1).map((line) => line.split(','))
    expect(String(cells.reduce((sum, cell) => sum + Number((cell[spaces] ?? '').replaceAll('"', '')), 0))).toBe(
      totals.sums.parkingSpaces,
    )
    expect(new Set(cells.map((cell) => cell[columns.indexOf('code')])).size).toBe(longRows)
    expect(lines.some((line) => /1390000\d{4}/.test(line))).toBe(false)
    expect(growth).toBeLessThan(100)
  })
})
