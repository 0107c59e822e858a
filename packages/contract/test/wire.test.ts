import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import * as wire from '../src/kit/wire.ts'

const takes = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success
const message = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues[0]?.message
const controls = ['a\u0000b', 'a\u0007b', 'a\u001bb', 'a\u007fb', 'a\u0085b', 'a\ud800b']

const ids = (count: number, digits = 1) => Array.from({ length: count }, () => '9'.repeat(digits)).join(',')

describe('id', () => {
  it.each(['1', '42', '123456789012345678'])('accepts %s', (id) => expect(wire.id.parse(id)).toBe(id))
  it.each(['', '0', '01', '-1', '1.5', '1e3', ' 1', '1 ', '1\n', '1,2', 'a', '１', '1234567890123456789', 1, null])(
    'refuses %j',
    (id) => expect(takes(wire.id, id)).toBe(false),
  )
})

describe('idList', () => {
  it('splits on commas', () => expect(wire.idList().parse('1,22,333')).toEqual(['1', '22', '333']))

  it('accepts 500 ids of any length and not one more', () => {
    expect(wire.idList().parse(ids(500))).toHaveLength(500)
    expect(wire.idList().parse(ids(500, 18))).toHaveLength(500)
    expect(message(wire.idList(), ids(501))).toBe('一次最多选择500条记录')
    expect(takes(wire.idList(), ids(501, 18))).toBe(false)
  })

  it('accepts as many ids as the route allows', () => {
    expect(takes(wire.idList(2), '1,2')).toBe(true)
    expect(message(wire.idList(2), '1,2,3')).toBe('一次最多选择2条记录')
  })

  it.each([
    '',
    ',',
    '1,',
    ',1',
    '1,,2',
    '1, 2',
    '1;2',
    '0',
    '1,0',
    '1,a',
    '1234567890123456789',
    '1,1234567890123456789',
    "1,2'--",
  ])('refuses %j', (text) => expect(takes(wire.idList(), text)).toBe(false))
})

describe('whole', () => {
  it.each(['1', '10', '500', '007'])('accepts %s', (text) => expect(wire.whole(1, 500).parse(text)).toBe(Number(text)))
  it.each(['', '0', '501', '-1', '1.0', '1e2', ' 1', '0x10', '１', '1234567890', '0000000001', 5])(
    'refuses %j',
    (text) => expect(takes(wire.whole(1, 500), text)).toBe(false),
  )
})

describe('flag', () => {
  it('accepts true and false', () =>
    expect(['true', 'false'].map((text) => wire.flag.parse(text))).toEqual([true, false]))
  it.each(['', '1', '0', 'TRUE', 'yes', true])('refuses %j', (text) => expect(takes(wire.flag, text)).toBe(false))
})

describe('text, lines and keyword', () => {
  const name = wire.text(5, '姓名')

  it('trims', () => expect(name.parse('  张三 ')).toBe('张三'))
  it('requires a value', () => {
    expect(message(name, '')).toBe('请输入姓名')
    expect(message(name, '   ')).toBe('请输入姓名')
  })
  it('enforces the maximum length', () => {
    expect(takes(name, '一二三四五')).toBe(true)
    expect(message(name, '一二三四五六')).toBe('姓名不能超过5个字符')
  })
  it.each(controls)('refuses the control character in %j', (value) => {
    expect(message(name, value)).toBe('请输入正确的姓名')
    expect(takes(wire.lines(5, '备注'), value)).toBe(false)
    expect(takes(wire.keyword, value)).toBe(false)
    expect(takes(wire.secret(5), value)).toBe(false)
  })
  it('accepts a single character', () => {
    expect([name, wire.lines(5, '备注'), wire.secret(5)].map((schema) => takes(schema, 'x'))).toEqual([
      true,
      true,
      true,
    ])
  })
  it('accepts line breaks only in a multi-line text', () => {
    expect(takes(name, 'a\nb')).toBe(false)
    expect(takes(wire.keyword, 'a\tb')).toBe(false)
    expect(wire.lines(10, '备注').parse('a\r\n\tb')).toBe('a\r\n\tb')
  })
  it('accepts letters of any script, and whole emoji', () => {
    for (const value of ['李四', "O'Neil", 'Łódź', '🔋', '<b>', 'a%_b'])
      expect([value, takes(wire.text(6, '姓名'), value)]).toEqual([value, true])
  })
  it('never accepts a control character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        const result = wire.text(40, '姓名').safeParse(value)
        expect(result.success && /[\p{Cc}\p{Cs}]/u.test(result.data)).toBe(false)
      }),
    )
  })
  it('does not trim a secret, because a space may belong to a password', () => {
    expect(wire.secret(10).parse(' pass ')).toBe(' pass ')
    expect(takes(wire.secret(10), '')).toBe(false)
    expect(takes(wire.secret(10), 'x'.repeat(11))).toBe(false)
  })
  it('accepts an empty keyword, and 64 characters', () => {
    expect(wire.keyword.parse('')).toBe('')
    expect(takes(wire.keyword, 'x'.repeat(64))).toBe(true)
    expect(takes(wire.keyword, 'x'.repeat(65))).toBe(false)
  })
})

describe('phone, email, smsCode', () => {
  it('accepts mainland mobile numbers', () => {
    expect(takes(wire.phone, '13800138000')).toBe(true)
    for (const wrong of ['12800138000', '1380013800', '138001380000', '+8613800138000', '138 0013 8000', ''])
      expect([wrong, takes(wire.phone, wrong)]).toEqual([wrong, false])
  })
  it('accepts plain addresses', () => {
    for (const right of ['a@b.cn', 'zhang.san+x@mail.example.com']) expect(takes(wire.email, right)).toBe(true)
    for (const wrong of ['', 'a', 'a@b', '@b.cn', 'a@.cn', 'a@b.cn\n', 'a b@c.cn', 'a@b.cn,c@d.cn'])
      expect([wrong, takes(wire.email, wrong)]).toEqual([wrong, false])
    expect([115, 116].map((length) => takes(wire.email, `${'a'.repeat(length)}@b.cn`))).toEqual([true, false])
  })
  it('accepts six digits', () => {
    expect(takes(wire.smsCode, '000000')).toBe(true)
    for (const wrong of ['12345', '1234567', '12345a', '１２３４５６']) expect(takes(wire.smsCode, wrong)).toBe(false)
  })
})

describe('adcode', () => {
  it.each(['110000', '330106', '820008'])('accepts %s', (code) => expect(wire.adcode.parse(code)).toBe(code))
  it.each(['', '33010', '3301060', '010000', '900000', '33010a', ' 330106', '３３０１０６', 330106])(
    'refuses %j',
    (code) => expect(message(wire.adcode, code)).toBeDefined(),
  )
  it('returns a message with the required action', () => expect(message(wire.adcode, '1')).toBe('请选择正确的省市区'))
})

describe('date', () => {
  it.each(['2026-01-01', '2026-12-31', '2024-02-29', '2000-02-29'])('accepts %s', (day) =>
    expect(wire.date.parse(day)).toBe(day),
  )
  it.each(['2026-02-30', '2026-02-29', '1900-02-29', '2026-04-31', '2026-13-01', '2026-00-10', '2026-1-1', '', 'abc'])(
    'refuses %j',
    (day) => expect(message(wire.date, day)).toBe('请输入正确的日期'),
  )
  it('refuses the year 0000, which PostgreSQL does not have', () => expect(takes(wire.date, '0000-01-01')).toBe(false))
  it('accepts every day of the calendar', () => {
    const days = fc.date({ min: new Date('1900-01-01'), max: new Date('2100-12-31'), noInvalidDate: true })
    fc.assert(
      fc.property(days, (day) => {
        expect(takes(wire.date, day.toISOString().slice(0, 10))).toBe(true)
      }),
    )
  })
  it('validates any input without throwing', () => {
    const digits = fc.stringMatching(/^\d{4}-\d\d-\d\d$/)
    fc.assert(
      fc.property(fc.oneof(fc.string(), digits), (typed) => {
        expect(() => takes(wire.date, typed)).not.toThrow()
      }),
    )
  })
})

describe('yuan', () => {
  it('returns fen', () => expect(wire.yuan.parse('12.3')).toBe(1230n))
  it.each(['1e3', '-1', '0', '0.001', ' 1', '', '10000000', 'NaN'])('[valid.amount] refuses %j on the wire', (text) =>
    expect(message(wire.yuan, text)).toBe('请输入正确格式的金额（0.01-9999999.99之间，最多两位小数）'),
  )
  it('[valid.amount] refuses a number, which may have lost a fen already', () => {
    expect(takes(wire.yuan, 12.3)).toBe(false)
  })
})

describe('row', () => {
  const pair = wire.row({ a: z.string() })
  it('refuses an unknown key', () => {
    expect(takes(pair, { a: 'x' })).toBe(true)
    expect(takes(pair, { a: 'x', roleTopLevel: 0 })).toBe(false)
    expect(takes(pair, JSON.parse('{"a":"x","__proto__":{}}'))).toBe(false)
    expect(takes(pair, {})).toBe(false)
  })
})

describe('time', () => {
  it('has the default date format', () => {
    expect(takes(wire.time, '2026-11-15 08:30:00')).toBe(true)
    for (const wrong of ['2026-11-15T08:30:00Z', '2026-11-15', '2026-11-15 8:30:00', '2026-11-15 08:30:00.000'])
      expect(takes(wire.time, wrong)).toBe(false)
  })
})
