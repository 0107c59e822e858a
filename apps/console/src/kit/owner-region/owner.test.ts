import { describe, expect, it } from 'vitest'
import { maySelect, ownerLevels, withOwner } from './owner.ts'

describe('levels to select from', () => {
  const levelsOf = (userType: number, roleTopLevel: number) =>
    ownerLevels.filter((level) => maySelect({ userType, roleTopLevel }, level))

  it('are those of which the user has more than one', () => {
    expect(levelsOf(1, 0)).toEqual(['organise', 'agent', 'site'])
    expect(levelsOf(1, 2)).toEqual(['agent', 'site'])
    expect(levelsOf(2, 3)).toEqual(['site'])
    expect(levelsOf(3, 4)).toEqual([])
    expect(maySelect(undefined, 'site')).toBe(false)
  })
})

describe('a choice', () => {
  const chosen = { organiseId: '2', agentId: '20', siteId: '200' }

  it('clears the levels below it and keeps those above', () => {
    expect(withOwner(chosen, 'organise', '3')).toEqual({ organiseId: '3', agentId: undefined, siteId: undefined })
    expect(withOwner(chosen, 'agent', undefined)).toEqual({ organiseId: '2', agentId: undefined, siteId: undefined })
    expect(withOwner(chosen, 'site', '201')).toEqual({ ...chosen, siteId: '201' })
  })
})
