import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { allRoutes } from '../src/all-routes.ts'
import type { AnyRoute } from '../src/kit/route.ts'
import { menuSeeds } from '../src/menu-keys.ts'

const named = allRoutes.map(({ feature, name, route }) => [`${feature}.${name}`, route] as const)
const keysOf = (schema: z.ZodType) => Object.keys((schema as z.ZodObject).shape)
const menusOf = ({ access }: AnyRoute) => (typeof access === 'string' ? [] : [access.menu].flat())
const knownMenus = new Set(menuSeeds.map(({ key }) => key))

/** The names of the routes that fail a check: one loop over all routes, one list of failures. */
const failing = (passes: (route: AnyRoute) => boolean) =>
  named.filter(([, route]) => !passes(route)).map(([name]) => name)

describe('every route', () => {
  it('has a unique method and path', () => {
    const calls = named.map(([, route]) => `${route.method} ${route.path}`)
    expect(calls.toSorted()).toEqual([...new Set(calls)].toSorted())
  })

  it('belongs to one of the four APIs', () => {
    expect(failing(({ path }) => /^\/(seeker|order|wechat|open)\/api\//.test(path))).toEqual([])
  })

  it('declares exactly the parameters of its path', () => {
    const namesInPath = ({ path }: AnyRoute) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name))
    const declared = (route: AnyRoute) => keysOf(route.params).toSorted().join()
    expect(failing((route) => declared(route) === namesInPath(route).toSorted().join())).toEqual([])
  })

  it('requires existing menus', () => {
    expect(failing((route) => menusOf(route).every((menu) => knownMenus.has(menu)))).toEqual([])
  })

  it('has a timeout of at most 30 seconds', () => {
    expect(failing(({ timeoutMs }) => timeoutMs > 0 && timeoutMs <= 30_000)).toEqual([])
  })

  it('is logged if it changes data, and requires an action kind', () => {
    const kindOf = (route: AnyRoute) => {
      const asks = typeof route.access === 'object' ? typeof route.access.action : 'nobody'
      return `${route.method} ${route.audit === 'none' ? 'none' : 'logged'} ${asks}`
    }
    const allowed = new Set([
      'GET none undefined',
      'GET none nobody',
      // The format of an import is visible only to users who may import.
      'GET none string',
      // A download is logged and requires only the right to see the list.
      'POST logged undefined',
      'POST logged string',
      'POST logged nobody',
      'POST none nobody',
    ])
    // Read-only calls that use POST.
    const isAllowed = (route: AnyRoute) =>
      allowed.has(kindOf(route)) || (route.reads && kindOf(route) === 'POST none undefined')
    expect(failing(isAllowed)).toEqual([])
    expect(failing(({ reads, audit, idempotent }) => !reads || (audit === 'none' && !idempotent))).toEqual([])
  })

  it('requires no key for calls of the specification, which defines none', () => {
    const calls = readFileSync(new URL('../../../docs/spec/calls.csv', import.meta.url), 'utf8')
    const specified = new Set(calls.split('\n').map((line) => line.split(',')[2]))
    expect(failing(({ path, idempotent }) => !(idempotent && specified.has(path)))).toEqual([])
    expect(named.filter(([, { path }]) => specified.has(path)).length).toBeGreaterThan(40)
  })

  it('refuses an unknown field wherever it takes any', () => {
    const refuses = (schema: z.ZodType) =>
      schema.safeParse({ unknownField: '1' }).error?.issues.some(({ code }) => code === 'unrecognized_keys') ?? false
    expect(failing(({ params, query, body }) => [params, query, body].every((schema) => refuses(schema)))).toEqual([])
  })
})
