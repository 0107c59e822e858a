import { describe, expect, it } from 'vitest'
import { CodeSigner, newCodeId } from './code-signer.ts'

const key = (id: string, byte: number) => `${id}:${Buffer.alloc(32, byte).toString('base64')}`
const url = 'https://q.example.cn'
const signerOf = (...keys: string[]) => new CodeSigner({ urls: [url], keys, secretKeys: [] })
const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz./:-'

/** Returns a different text: with a letter changed, removed, inserted or swapped. */
function altered(text: string): string {
  const at = Math.floor(Math.random() * text.length)
  const letter = letters[Math.floor(Math.random() * letters.length)] ?? ''
  const other = Math.floor(Math.random() * text.length)
  const moved = text.split('')
  ;[moved[at], moved[other]] = [moved[other] ?? '', moved[at] ?? '']
  const kinds = [
    text.slice(0, at) + letter + text.slice(at + 1),
    text.slice(0, at) + text.slice(at + 1),
    text.slice(0, at) + letter + text.slice(at),
    moved.join(''),
    text.toLowerCase(),
    `${text} `,
  ]
  const result = kinds[Math.floor(Math.random() * kinds.length)] ?? ''
  return result === text ? altered(text) : result
}

describe('a signed code', () => {
  it('is read as its number', () => {
    const signer = signerOf(key('a', 1))
    for (let count = 0; count < 200; count++) {
      const codeNo = `HZ${newCodeId()}03`
      expect(signer.read(signer.contentOf(codeNo))).toBe(codeNo)
    }
  })

  it('is refused after any alteration, in 10,000 trials', () => {
    const signer = signerOf(key('a', 1))
    const accepted = Array.from({ length: 10_000 }, () => altered(signer.contentOf(newCodeId()))).filter(
      (text) => signer.read(text) !== undefined,
    )
    expect(accepted).toEqual([])
  })

  it('is refused when it has a foreign signature or none', () => {
    const [own, foreign] = [signerOf(key('a', 1)), signerOf(key('b', 2))]
    expect(own.read(foreign.contentOf(newCodeId()))).toBeUndefined()
    for (const text of ['', url, `${url}/c/`, `${url}/c/0123456789`, `${url}/c/0123456789.${'0'.repeat(16)}`])
      expect(own.read(text)).toBeUndefined()
    // A valid signature behind a foreign address would lead to another site.
    expect(own.read(own.contentOf('0123456789').replace(url, 'https://q.example.com'))).toBeUndefined()
  })

  it('is valid after a rotation of keys, until its key is removed', () => {
    const [old, now] = [key('a', 1), key('b', 2)]
    const printed = signerOf(old).contentOf('0123456789')
    expect(signerOf(now, old).read(printed)).toBe('0123456789')
    expect(signerOf(now, old).contentOf('0123456789')).not.toBe(printed)
    expect(signerOf(now).read(printed)).toBeUndefined()
  })

  it('is still read behind an older address of the operator', () => {
    const printed = signerOf(key('a', 1)).contentOf('0123456789')
    const moved = new CodeSigner({ urls: ['https://new.example.cn', url], keys: [key('a', 1)], secretKeys: [] })
    expect(moved.read(printed)).toBe('0123456789')
    expect(moved.contentOf('0123456789')).toContain('https://new.example.cn/c/')
  })

  it('needs a configured or a derived key', () => {
    expect(() => new CodeSigner({ urls: [url], keys: [], secretKeys: [] })).toThrow('CODE_KEYS')
    expect(() => signerOf('a:short')).toThrow('CODE_KEYS')
    const derived = new CodeSigner({ urls: [url], keys: [], secretKeys: [key('a', 1)] })
    expect(derived.contentOf('0123456789')).not.toBe(signerOf(key('a', 1)).contentOf('0123456789'))
  })
})
