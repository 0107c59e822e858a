import { allRoutes } from '@wattdeck/contract/all-routes.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from './api.ts'
import { openSession } from './people.ts'
import { expectContract, makeRouteWorld, nameOf, type RouteWorld, send } from './route-world.ts'
import { sampleInput } from './samples.ts'

/** Who may call any route there is. */
let api: TestApi
let there: RouteWorld
beforeAll(async () => {
  api = await startApi()
  there = await makeRouteWorld(api)
})

const guarded = allRoutes.filter(({ route }) => route.access !== 'public')
const byMenu = allRoutes.filter(({ route }) => typeof route.access === 'object')

describe('who may call', () => {
  it.each(guarded.map((one) => [nameOf(one), one] as const))(
    '%s refuses the anonymous',
    async (_, { feature, route }) => {
      for (const token of [undefined, 'x'.repeat(43), 'Bearer', '']) {
        const reply = await send(api, route, token, sampleInput(route, there.ownIds(feature)))
        expect(reply.status).toBe(401)
        expectContract(route, reply)
      }
    },
  )

  it.each(byMenu.map((one) => [nameOf(one), one] as const))(
    '[valid.no-permission] %s refuses who lacks its menu or its action',
    async (_, { feature, route }) => {
      const reply = await send(api, route, there.world.green.nobody.token, sampleInput(route, there.ownIds(feature)))
      expect({ status: reply.status, message: (JSON.parse(reply.text) as { message: string }).message }).toEqual({
        status: 403,
        message: '您没有该操作的权限',
      })
      if (typeof route.access === 'object' && route.access.action !== undefined) {
        expect((await send(api, route, there.viewer.token, sampleInput(route, there.ownIds(feature)))).status).toBe(403)
      }
    },
  )

  it.each(guarded.filter(({ route }) => route.access !== 'partial').map((one) => [nameOf(one), one] as const))(
    '%s refuses a session that owes its second factor',
    async (_, { feature, route }) => {
      const token = await openSession(api, there.world.platform.root.id, 'secondFactor')
      expect((await send(api, route, token, sampleInput(route, there.ownIds(feature)))).status).toBe(401)
    },
  )
})
