import { beforeAll, describe, expect, it } from 'vitest'
import { recordSample, turnSlice } from '../../../../tools/check/tier.ts'
import { startApi, type TestApi } from '../harness/api.ts'
import { collectFailures, loop } from './collect-failures.ts'
import { answering, expectContract, makeRouteFixture, nameOf, type RouteFixture, send } from './route-fixture.ts'
import { recordChanges, tablesOf, takeChanges } from './row-changes.ts'
import { type Field, fieldsOf, type Input, isId, sampleInput } from './samples.ts'

/** Loop over all routes: none shows or changes a row of another organisation. */
let api: TestApi
let there: RouteFixture
beforeAll(async () => {
  api = await startApi()
  there = await makeRouteFixture(api)
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

/** The caller's own sample with one field replaced by each of the ids. */
const inputsWith = ({ feature, route }: One, { name, place }: Field, ids: readonly string[]): Input[] =>
  ids.flatMap((id) =>
    [true, false].map((optional) => {
      const input = sampleInput(route, there.ownIds(feature), optional)
      input[place][name] = id
      return input
    }),
  )

/** A full run uses ids of every kind. The gate uses a tenth, and each route begins with another kind. */
const tried = { taken: 0, of: 0 }
function idsOfAnyKind(one: One): string[] {
  const ids = Object.values(there.swift)
  const shift = guarded.indexOf(one)
  const sampledIds = turnSlice(
    ids.map((_, at) => ids[(at + shift) % ids.length] ?? ''),
    10,
  )
  tried.taken += sampledIds.length
  tried.of += ids.length
  return sampledIds
}

describe('every route', loop, () => {
  it('is watched by triggers that record a change of a foreign row', async () => {
    const watched = await api.sql("select from pg_trigger where tgname = 'zz_record' and tgparentid = 0")
    expect(watched.length).toBeGreaterThan(50)
    await api.sql("update site set name = name || 'x' where organise_id = $1", [there.fixture.swift.id])
    expect(await foreignRowsChanged()).toContainEqual(expect.objectContaining({ table_name: 'site', kind: 'UPDATE' }))
  })

  it('neither shows nor changes a row of another organisation that a field references', async () => {
    const failures = await collectFailures(guarded, nameOf, async (one) => {
      const inputs = fieldsOf(one.route)
        .filter(isId)
        .flatMap((field) => {
          const foreignId = there.foreignId(one.feature, field)
          return inputsWith(one, field, foreignId === undefined ? idsOfAnyKind(one) : [foreignId])
        })
      await Promise.all(
        callers.map((caller) =>
          tryAs(caller, one, [sampleInput(one.route, there.ownIds(one.feature), false), ...inputs]),
        ),
      )
      // A read-only route runs in a read-only transaction.
      if (!one.route.reads) expect(await foreignRowsChanged()).toEqual([])
    })
    expect(failures).toEqual([])
  })

  // All ids of this fixture are unique, so an id of another kind matches no row.
  it('treats an id of any other kind as the id of no row', async () => {
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
