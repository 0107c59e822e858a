import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { clearPrivateFilters, hidePrivate, showPrivate } from './kept-filters.ts'

const query = z.object({ keyword: z.string(), status: z.string() })
const address = (text: string) => hidePrivate(query, new URLSearchParams(text))

describe('a personal filter', () => {
  it('is not in the address of its page, but available to the page', () => {
    const seen = address('tab=2&keyword=13800138000&status=1')
    expect(seen.toString()).toMatch(/^tab=2&status=1&kept=[\w-]+$/)
    expect(showPrivate(seen).toString()).toBe('tab=2&status=1&keyword=13800138000')
    expect(address('tab=2&keyword=13800138000&status=1').toString()).toBe(seen.toString())
  })

  it('leaves nothing behind where nothing is hidden', () => {
    expect(address('keyword=%E5%BC%A0').toString()).toBe('keyword=%E5%BC%A0')
    expect(showPrivate(new URLSearchParams('kept=unknown&status=1')).toString()).toBe('status=1')
  })

  it('is overridden by the address', () => {
    const seen = address('keyword=13800138000')
    seen.set('keyword', '张')
    expect(showPrivate(seen).toString()).toBe('keyword=%E5%BC%A0')
  })

  it('is forgotten with the session', () => {
    const seen = address('keyword=13800138000')
    clearPrivateFilters()
    expect(showPrivate(seen).toString()).toBe('')
  })
})
