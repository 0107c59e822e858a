import { beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from './api.ts'
import { answering, expectContract, makeRouteWorld, nameOf, type RouteWorld, send } from './route-world.ts'
import { fieldsOf, type Input, isId, sampleInput } from './samples.ts'

/** No route shows or changes what belongs to another organisation. */
let api: TestApi
let there: RouteWorld
let before: string[]
beforeAll(async () => {
  api = await startApi()
  there = await makeRouteWorld(api)
  await makeRowsOf()
  before = await rowsOfOrganise(there.world.swift.id)
})

/** A function that says everything that belongs to one organisation, as one line a table. Its plan is made once, not each time. */
async function makeRowsOf(): Promise<void> {
  const tables = await api.sql<{
    name: string
  }>(`select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and a.attname = 'organise_id' order by 1`)
  expect(tables.length).toBeGreaterThan(10)
  const select = (table: string, column: string) =>
    `select '${table} ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') || count(*) from ${table} t where t.${column} = organise`
  const parts = [...tables.map(({ name }) => select(name, 'organise_id')), select('organise', 'id')]
  await api.sql(
    `create function rows_of(organise bigint) returns setof text language plpgsql as $$ begin return query ${parts.join(' union all ')}; end $$`,
  )
}

// Several processes may read for one query, and then its parts come in any order.
const rowsOfOrganise = async (organiseId: string): Promise<string[]> =>
  (await api.sql<{ line: string }>('select line from rows_of($1) line', [organiseId]))
    .map(({ line }) => line)
    .toSorted()

describe('another organisation', () => {
  const callers = ['admin', 'agent', 'subAgent', 'site'] as const

  it.each(
    answering
      .filter(({ route }) => route.access !== 'public' && route.path !== '/seeker/api/logout')
      .map((one) => [nameOf(one), one] as const),
  )(
    '%s neither shows nor changes it, whichever id is sent in whichever place',
    { timeout: 30_000 },
    async (_, { feature, route }) => {
      const places = fieldsOf(route).filter(isId)
      const tryAs = async (caller: (typeof callers)[number]) => {
        const { token } = there.world.green[caller]
        const inputs: Input[] = [sampleInput(route, there.ownIds(feature), false)]
        for (const field of places) {
          const meant = there.foreignId(feature, field)
          // No two rows of this world have the same id: one of another kind than the field means is the id of nothing.
          // The administrator, who sees most, sends them all the same; so does everybody where nobody knows what is meant.
          const all = caller === 'admin' || meant === undefined
          for (const foreign of all ? Object.values(there.swift) : [meant]) {
            for (const optional of [true, false]) {
              const input = sampleInput(route, there.ownIds(feature), optional)
              input[field.place][field.name] = foreign
              inputs.push(input)
            }
          }
        }
        for (const input of inputs) {
          const reply = await send(api, route, token, input)
          expect(reply.text, `${caller} ${JSON.stringify(input)}`).not.toContain('swift')
          expect(reply.status).toBeLessThan(500)
          expectContract(route, reply)
        }
      }
      await Promise.all(callers.map(tryAs))
      // What only reads runs in a transaction that cannot write.
      if (!route.reads) expect(await rowsOfOrganise(there.world.swift.id)).toEqual(before)
    },
  )

  it('is as it was in the end', async () => {
    expect(await rowsOfOrganise(there.world.swift.id)).toEqual(before)
  })
})
