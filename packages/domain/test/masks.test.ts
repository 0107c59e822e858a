import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maskAlipayAccount, masks, type PersonalClass } from '../src/masks.ts'

const examples: [PersonalClass, string, string][] = [
  ['phone', '13812345678', '138****5678'],
  ['phone', '12345678', '123****5678'],
  ['phone', '1234567', '*******'],
  ['phone', '', ''],
  ['idNumber', '330106199001011234', '330****1234'],
  ['bankCard', '6222 0212 3456 7890 123', '6222****0123'],
  ['cardNo', '0080251376', '00****1376'],
  ['cardNo', '4711', '****'],
  ['chipNo', 'a1b2c3d4', '****3d4'],
  ['chipNo', 'a1b', '***'],
  ['name', '张伟', '张*'],
  ['name', '欧阳修', '欧**'],
  ['name', '张', '*'],
  ['plate', '浙A12345', '浙A***45'],
  ['plate', '浙AD12345', '浙A***45'],
  ['email', 'zhang@example.com', 'z***@example.com'],
  ['email', '"odd@name"@example.com', '"***@example.com'],
  ['email', 'no-address', '***'],
  ['address', '浙江省杭州市余杭区文一西路969号', '浙江省杭州市****'],
  ['address', '文一西路', '****'],
  ['openId', 'oUpF8uMuAJO_M2pxb1Q9zNjWeS6o', 'oUpF****eS6o'],
]

describe('a mask', () => {
  it.each(examples)('of class %s shows %s as %s', (of, value, masked) => {
    expect(masks[of](value)).toBe(masked)
  })

  it('is idempotent for every class', () => {
    fc.assert(
      fc.property(fc.constantFrom(...(Object.keys(masks) as PersonalClass[])), fc.string(), (of, value) => {
        expect(masks[of](masks[of](value))).toBe(masks[of](value))
      }),
    )
  })

  it('never reveals the middle of a mobile number, an id or a bank card', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{11,19}$/), (digits) => {
        for (const kind of ['phone', 'idNumber', 'bankCard'] as const) {
          const [head = '', tail = '', ...more] = masks[kind](digits).split(/\*+/)
          expect([digits.startsWith(head), digits.endsWith(tail), more]).toEqual([true, true, []])
          expect(Math.max(head.length, tail.length)).toBeLessThanOrEqual(4)
        }
      }),
    )
  })
})

describe('maskAlipayAccount', () => {
  it.each([
    ['2088102112345678', '张三', '张**（2088****5678）'],
    ['2088102112345678', undefined, '2088****5678'],
    ['2088102112345678', '', '2088****5678'],
    ['2088102112345678', '\u0000<b>', '2088****5678'],
    ['2088', '李', '李**（****）'],
  ])('shows %s of %s as %s', (userId, nickName, masked) => {
    expect(maskAlipayAccount(userId, nickName)).toBe(masked)
  })
})
