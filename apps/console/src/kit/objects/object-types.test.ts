import { objectKinds } from '@wattdeck/contract/kit/object-kinds.ts'
import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { type MenuName, menus } from '@wattdeck/contract/menu-keys.ts'
import { describe, expect, it } from 'vitest'
import { menuNode } from '../api/session.fixture.ts'
import { factSourceOf } from './object-facts.ts'
import { mayReadFacts, objectOfNumber, objectOfRow, objectPath, objectTypes } from './object-types.ts'

const holder = (...names: MenuName[]) => ({
  menuTree: names.map((name) => menuNode(menus[name].key)),
  grants: [],
  organiseId: '2',
  agentId: null,
})
const menusOf = ({ access }: AnyRoute): string[] => {
  if (typeof access === 'string') return [access]
  return typeof access.menu === 'string' ? [access.menu] : [...access.menu]
}

describe('every kind of object', () => {
  it.each(objectKinds)('%s is opened only by a user with one of its menus', (kind) => {
    for (const { menu, path } of objectTypes[kind].homes) expect(objectPath(kind, '7', holder(menu))).toBe(path('7'))
    expect(objectPath(kind, '7', holder('workTable'))).toBeUndefined()
    expect(objectPath(kind, '7', undefined)).toBeUndefined()
  })

  it.each(objectKinds)('%s has facts that are read only by users who may call their route', async (kind) => {
    const { route } = await factSourceOf(kind)
    expect(objectTypes[kind].facts.toSorted()).toEqual(menusOf(route).toSorted())
    expect(mayReadFacts(kind, holder('workTable'))).toBe(false)
  })
})

describe('a member', () => {
  it('is opened by the holder of either list', () => {
    for (const menu of ['miniUser', 'wechatUser'] as const)
      expect(objectPath('member', '9', holder(menu))).toBe('/member/memberInfo?id=9')
  })

  it('is no link for a user who may only read the facts', () => {
    const reader = holder('balanceAdjustment')
    expect([objectPath('member', '9', reader), mayReadFacts('member', reader)]).toEqual([undefined, true])
  })
})

it('a port is opened on the page of its device', () => {
  expect(objectPath('port', '17/2', holder('deviceManage'))).toBe('/product/deviceDetail?id=17&port=2')
})

it('rows of the log and numbers of the ledger name objects', () => {
  expect(objectOfRow('repair_ticket', '5')).toEqual({ kind: 'ticket', id: '5' })
  expect(objectOfRow('role_menu', '5')).toBeUndefined()
  expect(objectOfRow('device', '')).toBeUndefined()
  expect(objectOfNumber('P17')).toEqual({ kind: 'payment', id: '17' })
  expect(objectOfNumber('17')).toEqual({ kind: 'order', id: '17' })
  expect(objectOfNumber('R17')).toBeUndefined()
})
