import { allRoutes } from '@wattdeck/contract/all-routes.ts'
import { download } from '@wattdeck/contract/system/download.ts'
import { pino } from 'pino'
import readExcel from 'read-excel-file/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isInScope, looksAtAll } from '../../../../tools/check/tier.ts'
import { listExports } from '../../src/app/features.ts'
import { type ListExport, runExport } from '../../src/kit/bulk/exports.ts'
import { createPool } from '../../src/kit/db/db.ts'
import { startApi, type TestApi } from '../harness/api.ts'
import { collectFailures, loop } from './collect-failures.ts'
import { makeRouteFixture, type RouteFixture } from './route-fixture.ts'
import { sampleInput } from './samples.ts'
import { makeSibling, siblingWord } from './sibling-rows.ts'

/** Loop over all exportable lists: a file contains no row of another organisation, nor of a sibling agent or site. */
let api: TestApi
let there: RouteFixture
let pool: ReturnType<typeof createPool>
beforeAll(async () => {
  api = await startApi()
  there = await makeRouteFixture(api)
  await makeSibling(api, there.fixture.green, there.models)
  pool = createPool(api.config.workerDatabaseUrl, 2)
})
afterAll(() => pool.end())

const asks = new Set(['exportList', 'pack'])
const exported = [...listExports.values()].map((list) => {
  const feature = allRoutes.find(({ route }) => route === list.route)?.feature ?? ''
  const ask = list.pack === undefined ? 'exportList' : 'pack'
  return { list, feature, ask: allRoutes.find((one) => one.feature === feature && one.name === ask)?.route }
})
type Exported = (typeof exported)[number]

/** Content of the file, or undefined when the person may not export it. */
async function fileOf({ list, feature, ask }: Exported, token: string): Promise<string | undefined> {
  if (ask === undefined) throw new Error('no route requests this file')
  const { query } = sampleInput(list.route, there.ownIds(feature), false)
  const { pageNum: _, pageSize: __, ...filter } = query
  const body = { columns: Object.keys(list.columns), query: new URLSearchParams(filter).toString() }
  const reply = await api.call(token, ask, { body: body as never })
  if (reply.status === 403) return undefined
  expect(reply, list.list).toMatchObject({ status: 200 })
  const { id } = reply.data as { id: string }
  await runExport({ pool, files: api.deps.files, log: pino({ level: 'silent' }) }, listExports, id)
  const { bytes } = await api.call(token, download.file, { body: { id } })
  expect(bytes, list.list).toBeDefined()
  return textOf(list, bytes ?? Buffer.alloc(0))
}

/** An archive stores file names uncompressed; a sheet compresses its cells. */
const textOf = async ({ pack }: ListExport, bytes: Buffer) =>
  pack === undefined ? JSON.stringify(await readExcel(bytes)) : bytes.toString('utf8')

describe('every list that becomes a file', loop, () => {
  const tested = exported.filter(({ feature }) => isInScope(feature))

  it('has an export route for each list, and a list for each export route', () => {
    expect(exported.filter(({ ask }) => ask === undefined).map(({ list }) => list.list)).toEqual([])
    const routes = allRoutes.filter(({ name }) => asks.has(name)).map(({ route }) => route)
    expect(routes.length).toBe(new Set(exported.map(({ ask }) => ask)).size)
  })

  it('contains no row of another organisation, nor of a sibling of an agent or a site', async () => {
    let siblingSeen = 0
    const failures = await collectFailures(
      tested,
      ({ list }) => list.list,
      async (one) => {
        for (const caller of ['agent', 'subAgent', 'site'] as const) {
          const text = (await fileOf(one, there.fixture.green[caller].token)) ?? ''
          expect(text, caller).not.toContain(siblingWord)
          expect(text, caller).not.toContain('swift')
        }
        expect((await fileOf(one, there.fixture.swift.admin.token)) ?? '').not.toMatch(/green|lime/)
        const whole = (await fileOf(one, there.fixture.green.admin.token)) ?? ''
        expect(whole).not.toContain('swift')
        if (whole.includes(siblingWord)) siblingSeen++
      },
    )
    expect(failures).toEqual([])
    // The owner of both finds the word, so its absence from the other files is significant.
    if (looksAtAll) expect(siblingSeen).toBeGreaterThan(8)
  })
})
