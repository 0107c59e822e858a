import { describe, expect, it } from 'vitest'
import { idempotencyKeys } from './idempotency.ts'
import { uniqueId } from './unique-id.ts'

const counted = () => {
  let count = 0
  return idempotencyKeys(() => `key-${++count}`)
}

describe('one key for one intention', () => {
  it('stays while the same content is sent again', () => {
    const keys = counted()
    expect([keys.keyFor('a'), keys.keyFor('a'), keys.keyFor('a')]).toEqual(['key-1', 'key-1', 'key-1'])
  })

  it('is a new one for other content, and for the first content again', () => {
    const keys = counted()
    expect([keys.keyFor('a'), keys.keyFor('b'), keys.keyFor('a')]).toEqual(['key-1', 'key-2', 'key-3'])
  })

  it('is a new one after success, for the same content too', () => {
    const keys = counted()
    const first = keys.keyFor('a')
    keys.succeeded()
    expect(keys.keyFor('a')).not.toBe(first)
  })
})

it('a unique id is a version 4 UUID, and unique', () => {
  const ids = Array.from({ length: 1000 }, uniqueId)
  for (const id of ids) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  expect(new Set(ids).size).toBe(1000)
})
