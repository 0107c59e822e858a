import { readFileSync } from 'node:fs'
import { deviceManage } from '@wattdeck/contract/product/device-manage.ts'
import { expect, it } from 'vitest'
import { atTier } from '../../../../../tools/check/tier.ts'
import { startApi } from '../../../test/harness/api.ts'
import { makeFixture } from '../../../test/harness/people.ts'

const api = await startApi({ poolSize: 2 })
const fixture = await makeFixture(api)

/** Each bit of a number enables a filter, so that each number is a different statement. */
const filters: [string, string][] = [
  ['keyword', '0'],
  ['agentId', '1'],
  ['siteId', '1'],
  ['categoryId', '1'],
  ['smallCategoryId', '1'],
  ['deviceTypeId', '1'],
  ['online', '1'],
  ['softwareVersion', '1'],
  ['serviceFrom', '2026-01-01'],
  ['serviceTo', '2026-02-01'],
  ['createdFrom', '2026-01-01'],
  ['createdTo', '2026-02-01'],
  ['status', '1'],
]
const queryOf = (combination: number) => ({
  pageNum: 1,
  pageSize: 20,
  ...Object.fromEntries(filters.filter((_, bit) => (combination >> bit) & 1)),
})
const look = async (combination: number) => {
  const reply = await api.call(fixture.green.admin.token, deviceManage.list, { query: queryOf(combination) as never })
  expect(reply.status).toBe(200)
}

/** Few enough that no request waits long for one of the two connections, which would be refused. */
const atOnce = 4
const lookAtMany = (from: number) => Promise.all(Array.from({ length: atOnce }, (_, place) => look(from + place)))

/** Private memory of the api's PostgreSQL backends, in MB. */
const backends = async () => {
  const rows = await api.sql<{ pid: number; held: number }>(
    "select pid from pg_stat_activity where datname = $1 and application_name = 'wattdeck-api'",
    [api.database],
  )
  return new Map(
    rows.map(({ pid }) => {
      const [, kb = '0'] = /RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
      return [pid, Number(kb) / 1024]
    }),
  )
}

it('thousands of filter combinations of a list do not exhaust the memory of the database', async () => {
  const combinations = atTier(300, 5000)
  // Each runs twice, because a statement that runs once is not prepared.
  for (let round = 0; round < 15; round++) await lookAtMany(0)
  const before = await backends()
  for (let from = 0; from < combinations; from += atOnce) for (let round = 0; round < 2; round++) await lookAtMany(from)
  const after = await backends()
  expect(new Set(after.keys())).toEqual(new Set(before.keys()))
  expect(after.size).toBe(2)
  const grown = [...after].map(([pid, mb]) => mb - (before.get(pid) ?? 0))
  expect(Math.max(...grown)).toBeLessThan(20)
}, 600_000)
