import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { allRoutes } from '../src/all-routes.ts'
import type { AnyRoute } from '../src/kit/route.ts'
import { menuSeeds } from '../src/menu-keys.ts'

const named = allRoutes.map(({ feature, name, route }) => [`${feature}.${name}`, route] as const)
const keysOf = (schema: z.ZodType) => Object.keys((schema as z.ZodObject).shape)
const menusOf = ({ access }: AnyRoute) => (typeof access === 'string' ? [] : [access.menu].flat())
const knownMenus = new Set(menuSeeds.map(({ key }) => key))

describe('the whole API', () => {
  it('has each method and path once', () => {
    const calls = named.map(([, route]) => `${route.method} ${route.path}`)
    expect(calls.toSorted()).toEqual([...new Set(calls)].toSorted())
  })
})

describe.each(named)('%s', (_, route) => {
  it('stands under one of the four APIs', () => expect(route.path).toMatch(/^\/(seeker|order|wechat|open)\/api\//))

  it('declares exactly the parameters of its path', () => {
    const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name))
    expect(keysOf(route.params).toSorted()).toEqual(inPath.toSorted())
  })

  it('asks for menus that exist', () => {
    expect(menusOf(route).filter((menu) => !knownMenus.has(menu))).toEqual([])
  })

  it('has a limit in time', () => {
    expect(route.timeoutMs).toBeGreaterThan(0)
    expect(route.timeoutMs).toBeLessThanOrEqual(30_000)
  })

  it('says in the log what it changes, and asks for an action kind', () => {
    const asks = typeof route.access === 'object' ? typeof route.access.action : 'nobody'
    const says = `${route.method} ${route.audit === 'none' ? 'none' : 'logged'} ${asks}`
    expect([
      'GET none undefined',
      'GET none nobody',
      // What an import looks like is for those who may import.
      'GET none string',
      // A file that leaves is written down, and needs no more than the right to see it listed.
      'POST logged undefined',
      'POST logged string',
      'POST logged nobody',
      'POST none nobody',
      // Calls that ask by POST and cannot write.
      ...(route.reads ? ['POST none undefined'] : []),
    ]).toContain(says)
    if (route.reads) expect(route).toMatchObject({ audit: 'none', idempotent: false })
  })

  it('refuses an unknown field wherever it takes any', () => {
    for (const schema of [route.params, route.query, route.body]) {
      const issues = (schema as z.ZodType).safeParse({ nobodyAsked: '1' }).error?.issues ?? []
      expect(issues.map(({ code }) => code)).toContain('unrecognized_keys')
    }
  })
})
