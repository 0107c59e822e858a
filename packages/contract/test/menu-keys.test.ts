import { describe, expect, it } from 'vitest'
import { menuKey, menuSeeds } from '../src/menu-keys.ts'

const keys = menuSeeds.map(({ key }) => key)

describe('the delivered menu', () => {
  it('has no duplicate key, and only named keys', () => {
    const named: string[] = Object.values(menuKey)
    expect(named).toHaveLength(new Set(named).size)
    expect(keys).toHaveLength(new Set(keys).size)
    expect(keys.filter((key) => !named.includes(key))).toEqual([])
  })

  it('names a parent before its children', () => {
    const orphans = keys.filter(
      (key, place) => key.includes('.') && !keys.slice(0, place).includes(key.slice(0, key.lastIndexOf('.'))),
    )
    expect(orphans).toEqual([])
  })

  it('contains each route once', () => {
    const routes = menuSeeds.flatMap(({ route }) => route ?? [])
    expect(routes).toHaveLength(new Set(routes).size)
    for (const route of routes) expect(route).toMatch(/^(\/[\w-]+)+$/)
  })

  it('has a route for every entry without children', () => {
    const leaves = menuSeeds.filter(({ key }) => !keys.some((other) => other.startsWith(`${key}.`)))
    expect(leaves.filter(({ route }) => route === undefined)).toEqual([])
  })

  it('shows the personal centre to every user', () => {
    const personal = menuSeeds.filter(({ key }) => key === menuKey.personal || key.startsWith(`${menuKey.personal}.`))
    expect(personal.filter(({ alwaysVisible }) => alwaysVisible !== true)).toEqual([])
  })
})
