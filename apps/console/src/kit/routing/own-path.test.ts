import { describe, expect, it } from 'vitest'
import { ownPath } from './own-path.ts'

const home = '/dashboard/workTable'

describe('a redirect', () => {
  it.each(['/system/staff', '/system/staff?name=a&pageNum=2#row', '/', '/@a', '/a//b'])('may lead to %s', (path) => {
    expect(ownPath(path, home)).toBe(path)
  })

  it.each([
    null,
    undefined,
    '',
    'system/staff',
    'https://evil.example/',
    '//evil.example',
    '///evil.example',
    String.raw`/\evil.example`,
    String.raw`\\evil.example`,
    '/\t/evil.example',
    '/\n/evil.example',
    ' //evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
  ])('may not lead to %j', (path) => expect(ownPath(path, home)).toBe(home))

  // Dot segments that resolve to '//evil.example'.
  it.each(['/..//evil.example', '/.//evil.example', '/a/..//evil.example', '/%2e%2e//evil.example'])(
    'may not lead to %j',
    (path) => expect(ownPath(path, home)).toBe(home),
  )
})
