import { allRoutes } from '@wattdeck/contract/all-routes.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../harness/api.ts'
import { collectFailures, loop } from './collect-failures.ts'
import {
  answering,
  expectContract,
  kindOf,
  makeRouteFixture,
  nameOf,
  type RouteFixture,
  send,
} from './route-fixture.ts'
import { recordChanges, tablesOf, takeChanges } from './row-changes.ts'
import { fieldsOf, isId, sampleInput } from './samples.ts'
import { makeSibling, siblingWord } from './sibling-rows.ts'

/** Loop over all routes: within an organisation, no agent and no site sees or changes rows of a sibling agent. */
let api: TestApi
let there: RouteFixture
let sibling: Awaited<ReturnType<typeof makeSibling>>
beforeAll(async () => {
  api = await startApi()
  there = await makeRouteFixture(api)
  sibling = await makeSibling(api, there.fixture.green, there.models)
  const tables = (await tablesOf(api)).filter(({ name, ofAgent }) => ofAgent || name === 'agent')
  await recordChanges(
    api,
    tables.map(({ name }) => name),
    'agent',
  )
})

const callers = ['agent', 'subAgent', 'site'] as const
const guarded = answering.filter(({ route }) => route.access !== 'public' && route.path !== '/seeker/api/logout')
const siblingRowsChanged = async () =>
  (await takeChanges(api)).filter(({ owner_ids }) => owner_ids.includes(sibling.agentId))

describe('every route', loop, () => {
  it('is watched by triggers that record a change of a sibling’s row', async () => {
    await api.sql("update site set remark = 'x' where id = $1", [sibling.siteId])
    expect(await siblingRowsChanged()).toContainEqual(expect.objectContaining({ table_name: 'site', kind: 'UPDATE' }))
  })

  it('neither shows nor changes rows of a sibling agent or site, for any id in the request', async () => {
    const failures = await collectFailures(guarded, nameOf, async ({ feature, route }) => {
      const own = sampleInput(route, there.ownIds(feature), false)
      const named = fieldsOf(route)
        .filter(isId)
        .flatMap((field) => {
          const id = sibling.ids[kindOf(feature, field)]
          if (id === undefined) return []
          return [true, false].map((optional) => {
            const input = sampleInput(route, there.ownIds(feature), optional)
            input[field.place][field.name] = id
            return input
          })
        })
      for (const caller of callers) {
        const { token } = there.fixture.green[caller]
        for (const input of [own, ...named]) {
          const reply = await send(api, route, token, input)
          expect(reply.text, `${caller} ${JSON.stringify(input)}`).not.toContain(siblingWord)
          expect(reply.status, `${caller} ${JSON.stringify(input)}`).toBeLessThan(500)
          expectContract(route, reply)
        }
      }
      if (!route.reads) expect(await siblingRowsChanged()).toEqual([])
    })
    expect(failures).toEqual([])
  })

  it('shows the rows of both to their owner, so the word can be found', async () => {
    const found = await Promise.all(
      allRoutes
        .filter(({ route, name }) => route.access !== 'public' && route.method === 'GET' && name === 'list')
        .map(async ({ feature, route }) =>
          send(api, route, there.fixture.green.admin.token, sampleInput(route, there.ownIds(feature), false)),
        ),
    )
    expect(found.filter(({ text }) => text.includes(siblingWord)).length).toBeGreaterThan(8)
  })
})
