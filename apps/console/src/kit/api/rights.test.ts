import { describe, expect, it } from 'vitest'
import { grantedKeys, mayCall } from './rights.ts'
import { menuNode } from './session.fixture.ts'

const menuTree = [menuNode('1', { childMenus: [menuNode('1.1', { childMenus: [menuNode('1.1.3')] })] }), menuNode('2')]
const user = { menuTree, grants: ['1.1.3:add'], organiseId: '7', agentId: null }

it('collects the menu keys of the whole tree', () => {
  expect([...grantedKeys(menuTree)]).toEqual(['1', '1.1', '1.1.3', '2'])
})

describe('a route may be called', () => {
  it('by any visitor when it is public, by any user when it is for anyone', () => {
    expect([mayCall(undefined, 'public'), mayCall(user, 'public')]).toEqual([true, true])
    expect([mayCall(undefined, 'anyone'), mayCall(user, 'anyone')]).toEqual([false, true])
    expect([mayCall(undefined, 'partial'), mayCall(user, 'partial')]).toEqual([false, true])
  })

  it('[role.menu-visibility] by a user whose menu tree holds one of its keys', () => {
    expect(mayCall(user, { menu: '1.1.3' })).toBe(true)
    expect(mayCall(user, { menu: ['9', '2'] })).toBe(true)
    expect(mayCall(user, { menu: '1.1.2' })).toBe(false)
    expect(mayCall(user, { menu: [] })).toBe(false)
    expect(mayCall(undefined, { menu: '2' })).toBe(false)
  })

  it('for a change only with that action under that key; the menu alone is not enough', () => {
    expect(mayCall(user, { menu: '1.1.3', action: 'add' })).toBe(true)
    expect(mayCall(user, { menu: '1.1.3', action: 'delete' })).toBe(false)
    expect(mayCall(user, { menu: '2', action: 'add' })).toBe(false)
    expect(mayCall(user, { menu: ['2', '1.1.3'], action: 'add' })).toBe(true)
  })

  it('for a change of shared data only by staff of the platform', () => {
    const access = { menu: '1.1.3', action: 'add', platform: true } as const
    expect(mayCall(user, access)).toBe(false)
    expect(mayCall({ ...user, organiseId: '1' }, access)).toBe(true)
    expect(mayCall({ ...user, organiseId: '1', agentId: '5' }, access)).toBe(false)
  })
})
