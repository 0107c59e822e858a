import { beforeAll, describe, expect, it } from 'vitest'
import { recordSample, turnSlice } from '../../../../tools/check/tier.ts'
import { startApi, type TestApi } from '../harness/api.ts'
import { collectFailures, loop } from './collect-failures.ts'
import { answering, expectContract, makeRouteWorld, nameOf, type RouteWorld, send } from './route-fixture.ts'
import { recordChanges, tablesOf, takeChanges } from './row-changes.ts'
import { type Field, fieldsOf, type Input, isId, sampleInput } from './samples.ts'

/** Loop over all routes: none shows or changes a row of another organisation. */
let api: TestApi
let there: RouteWorld
beforeAll(async () => {
  api = await startApi()
  there = await makeRouteWorld(api)
  const tables = (await tablesOf(api)).filter(({ name, tenant }) => tenant || name === 'organise')
  await recordChanges(
    api,
    tables.map(({ name }) => name),
  )
})

const callers = ['admin', 'agent', 'subAgent', 'site'] as const
type Caller = (typeof callers)[number]
const guarded = answering.filter(({ route }) => route.access !== 'public' && route.path !== '/seeker/api/logout')
type One = (typeof answering)[number]

const foreignRowsChanged = async () =>
  (await takeChanges(api)).filter(({ owner_ids }) => owner_ids.includes(there.fixture.swift.id))

async function tryAs(caller: Caller, { route }: One, inputs: readonly Input[]): Promise<void> {
  const { token } = there.fixture.green[caller]
  for (const input of inputs) {
    const reply = await send(api, route, token, input)
    expect(reply.text, `${caller} ${JSON.stringify(input)}`).not.toContain('swift')
    expect(reply.status, `${caller} ${JSON.stringify(input)}`).toBeLessThan(500)
    expectContract(route, reply)
  }
}

/** The own sample with one field replaced by each of the ids. */
const inputsWith = ({ feature, route }: One, { name, place }: Field, ids: readonly string[]): Input[] =>
  ids.flatMap((id) =>
    [true, false].map((optional) => {
      const input = sampleInput(route, there.ownIds(feature), optional)
      input[place][name] = id
      return input
    }),
  )

/** Ids of every kind in a full run. The gate takes a tenth, and each route begins with another kind. */
const tried = { taken: 0, of: 0 }
function idsOfAnyKind(one: One): string[] {
  const ids = Object.values(there.swift)
  const shift = guarded.indexOf(one)
  const taken = turnSlice(
    ids.map((_, at) => ids[(at + shift) % ids.length] ?? ''),
    10,
  )
  tried.taken += taken.length
  tried.of += ids.length
  return taken
}

describe('every route', loop, () => {
  it('is watched by triggers that notice a change of a foreign row', async () => {
    const watched = await api.sql("select from pg_trigger where tgname = 'zz_record' and tgparentid = 0")
    expect(watched.length).toBeGreaterThan(50)
    await api.sql("update site set name = name || 'x' where organise_id = $1", [there.fixture.swift.id])
    expect(await foreignRowsChanged()).toContainEqual(expect.objectContaining({ table_name: 'site', kind: 'UPDATE' }))
  })

  it('neither shows nor changes a row of another organisation whose id a field means', async () => {
    const failures = await collectFailures(guarded, nameOf, async (one) => {
      const inputs = fieldsOf(one.route)
        .filter(isId)
        .flatMap((field) => {
          const meant = there.foreignId(one.feature, field)
          return inputsWith(one, field, meant === undefined ? idsOfAnyKind(one) : [meant])
        })
      await Promise.all(
        callers.map((caller) =>
          tryAs(caller, one, [sampleInput(one.route, there.ownIds(one.feature), false), ...inputs]),
        ),
      )
      // A route that only reads runs in a transaction that cannot write.
      if (!one.route.reads) expect(await foreignRowsChanged()).toEqual([])
    })
    expect(failures).toEqual([])
  })

  // No two rows of this fixture share an id, so an id of another kind than the field means is the id of no row.
  it('takes an id of any other kind for the id of no row', async () => {
    const failures = await collectFailures(guarded, nameOf, async (one) => {
      const fields = fieldsOf(one.route).filter(isId)
      await tryAs(
        'admin',
        one,
        fields.flatMap((field) => inputsWith(one, field, idsOfAnyKind(one))),
      )
      if (!one.route.reads) expect(await foreignRowsChanged()).toEqual([])
    })
    recordSample('every-route-foreign: ids of another kind than the field means', tried.taken, tried.of)
    expect(failures).toEqual([])
  })
})
