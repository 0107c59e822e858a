import { describe, expect, it } from 'vitest'
import { isChanged, profileOf } from '../basic-info/profile-changes.ts'

describe('a profile', () => {
  const saved = { name: '张伟', email: '', address: '杭州' }

  it('has an empty text for a missing value', () => {
    const info = { name: '张伟', email: null, address: '杭州' } as Parameters<typeof profileOf>[0]
    expect(profileOf(info)).toEqual(saved)
  })

  it('is changed by a field, but not by surrounding spaces', () => {
    expect(isChanged(saved, { ...saved, email: 'a@b.cn' })).toBe(true)
    expect(isChanged(saved, { ...saved, address: '' })).toBe(true)
    expect(isChanged(saved, { ...saved, name: ' 张伟 ' })).toBe(false)
  })

  it('is unchanged before the form has rendered its fields', () => {
    expect(isChanged(saved, undefined)).toBe(false)
    expect(isChanged(saved, {})).toBe(false)
  })
})
