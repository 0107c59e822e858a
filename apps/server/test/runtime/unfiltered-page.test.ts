import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiUrl } from '../../../../tools/ops/database.ts'
import { listStaff } from '../../src/features/system/staff/staff.store.ts'
import { commit, createPool, type Db, inScope } from '../../src/kit/db/db.ts'
import { isUnfiltered } from '../../src/kit/db/paging.ts'
import { scopeOf } from '../../src/kit/db/scope.ts'
import { startApi, type TestApi } from '../harness/api.ts'
import { makeFixture } from '../harness/people.ts'

let api: TestApi
let pool: ReturnType<typeof createPool>
beforeAll(async () => {
  api = await startApi()
  await makeFixture(api)
  // One connection, so that all its prepared statements are those of this test.
  pool = createPool(apiUrl(api.database), 1)
})
afterAll(() => pool.end())

const scope = scopeOf({ organiseId: '1', isPlatform: true, agentId: null, agentIds: [], siteId: null })
const page = { pageNum: 1, pageSize: 20 }
const reading = <T>(work: (db: Db) => Promise<T>) =>
  inScope(pool, scope, 'read', async ({ db }) => commit(await work(db)))
const look = (query: object) => reading((db) => listStaff(db, scope, { ...page, ...query }))

describe('a page without filters', () => {
  it('is planned once, not at each read', async () => {
    for (let time = 0; time < 12; time++) await look({})
    const { rows } = await reading((db) =>
      sql<{ generic: string; custom: string }>`
        select generic_plans as generic, custom_plans as custom from pg_prepared_statements
        where statement like 'select "user_account"."id"%limit 20'`.execute(db),
    )
    expect(rows).toHaveLength(1)
    expect(Number(rows[0]?.generic)).toBeGreaterThan(0)
  })

  it('equals the page with its size as a parameter', async () => {
    const [unfiltered, planned] = [await look({}), await look({ status: 1 })]
    expect(unfiltered.rows.filter(({ status }) => status === 1).slice(0, 5)).toEqual(planned.rows.slice(0, 5))
    expect((await look({ pageSize: 2 })).rows).toEqual(unfiltered.rows.slice(0, 2))
    expect((await look({ pageNum: 2, pageSize: 2 })).rows).toEqual(unfiltered.rows.slice(2, 4))
  })

  it('has no parameters except those that select the page', () => {
    expect(isUnfiltered({ pageNum: 1, pageSize: 20, cursor: 'x', skipCount: true, status: undefined })).toBe(true)
    expect(isUnfiltered({ pageNum: 1, pageSize: 20, status: 0 })).toBe(false)
  })
})
