import { allRoutes } from '@wattdeck/contract/all-routes.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { isInScope } from '../../../../tools/check/tier.ts'
import { startApi, type TestApi } from '../harness/api.ts'
import { collectFailures, loop } from './collect-failures.ts'
import { openSession } from '../harness/people.ts'
import { expectContract, makeRouteFixture, nameOf, type RouteFixture, send } from './route-fixture.ts'
import { sampleInput } from './samples.ts'

/** Loops over all routes: access control. */
let api: TestApi
let there: RouteFixture
beforeAll(async () => {
  api = await startApi()
  there = await makeRouteFixture(api)
})

const routes = allRoutes.filter(({ feature }) => isInScope(feature))
const guarded = routes.filter(({ route }) => route.access !== 'public')
const byMenu = routes.filter(({ route }) => typeof route.access === 'object')
type One = (typeof allRoutes)[number]
const trySample = ({ feature, route }: One, token: string | undefined) =>
  send(api, route, token, sampleInput(route, there.ownIds(feature)))
const lanes = 4

describe('every route', loop, () => {
  it('refuses a call without a session', async () => {
    const failures = await collectFailures(
      guarded,
      nameOf,
      async (one) => {
        for (const token of [undefined, 'x'.repeat(43), 'Bearer', '']) {
          const reply = await trySample(one, token)
          expect(reply.status).toBe(401)
          expectContract(one.route, reply)
        }
      },
      lanes,
    )
    expect(failures).toEqual([])
  })

  it('[valid.no-permission] refuses a caller without its menu or its action', async () => {
    const failures = await collectFailures(
      byMenu,
      nameOf,
      async (one) => {
        const reply = await trySample(one, there.fixture.green.withoutRights.token)
        expect({ status: reply.status, message: (JSON.parse(reply.text) as { message: string }).message }).toEqual({
          status: 403,
          message: '您没有该操作的权限',
        })
        const { access } = one.route
        if (typeof access === 'object' && access.action !== undefined)
          expect((await trySample(one, there.viewer.token)).status).toBe(403)
      },
      lanes,
    )
    expect(failures).toEqual([])
  })

  it('refuses a session whose second factor is pending', async () => {
    const token = await openSession(api, there.fixture.platform.root.id, 'secondFactor')
    const failures = await collectFailures(
      guarded.filter(({ route }) => route.access !== 'partial'),
      nameOf,
      async (one) => expect((await trySample(one, token)).status).toBe(401),
      lanes,
    )
    expect(failures).toEqual([])
  })
})
