import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maskEmail, maskPhone } from '../src/masks.ts'

describe('maskPhone', () => {
  it.each([
    ['13812345678', '138****5678'],
    ['12345678', '123****5678'],
    ['1234567', '*******'],
    ['123', '***'],
    ['', ''],
  ])('shows %s as %s', (phone, masked) => {
    expect(maskPhone(phone)).toBe(masked)
  })

  it('never shows the middle digits of a mobile number', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^1[3-9]\d{9}$/), (phone) => {
        expect(maskPhone(phone)).toBe(`${phone.slice(0, 3)}****${phone.slice(7)}`)
      }),
    )
  })
})

describe('maskEmail', () => {
  it.each([
    ['zhang@example.com', 'z***@example.com'],
    ['a@b.cn', 'a***@b.cn'],
    ['"odd@name"@example.com', '"***@example.com'],
    ['@example.com', '***'],
    ['no-address', '***'],
    ['', '***'],
  ])('shows %s as %s', (email, masked) => {
    expect(maskEmail(email)).toBe(masked)
  })
})
