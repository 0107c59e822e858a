import { yuanText } from '@wattdeck/domain/money.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { signedPart } from './providers/alipay/signed-part.ts'
import { readWechatBill } from './providers/wechat/wechat-bill.ts'
import { chinaTime, fenOf, ofChinaTime, plainText } from './wire-values.ts'

test('converts amounts to yuan and back by digits alone', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }), (fen) => {
      expect(fenOf(yuanText(fen))).toBe(fen)
    }),
  )
  expect(['1', '1.1', '0.29', '0.60000', '-0.30'].map(fenOf)).toEqual([100n, 110n, 29n, 60n, -30n])
  const none = ['', '.5', '1.', '1e3', '1.005', '0.006', '+1', '1,000.00', ' 1', '0x10', '٣']
  for (const text of none) expect(fenOf(text), text).toBeUndefined()
})

test('converts China time in both directions', () => {
  const at = new Date('2026-02-28T16:00:01Z')
  expect(chinaTime(at)).toBe('2026-03-01 00:00:01')
  expect(ofChinaTime('2026-03-01 00:00:01')).toEqual(at)
  for (const text of ['2026-13-01 00:00:00', '2026-03-01', '']) expect(ofChinaTime(text)).toBeUndefined()
})

test('makes texts for bills and apps plain and never empty', () => {
  expect(plainText('充值, 50/元\n😀', 40, '充值')).toBe('充值  50 元 😀')
  expect(plainText('\u0000', 40, '充值')).toBe('充值')
  expect(plainText('😀'.repeat(50), 40, '充值')).toBe('😀'.repeat(40))
})

test('finds the signed part only under its name in the outermost object', () => {
  const part = String.raw`{"a":"} \" {","b":[{"x_response":{"c":1}}],"u":"https:\/\/x"}`
  expect(signedPart(`{"x_response":${part},"sign":"s"}`, 'x_response')).toBe(part)
  expect(signedPart(`{"sign":"s","y":{"x_response":{"no":1}},"x_response":${part}}`, 'x_response')).toBe(part)
  expect(signedPart(String.raw`{"sign":"\"x_response\":{}","y":1}`, 'x_response')).toBeUndefined()
  for (const broken of [
    '',
    '{',
    '{"x_response":',
    '{"x_response":"text"}',
    '{"x_response":{"a":"}',
    '[{"x_response":{}',
  ]) {
    const found = signedPart(broken, 'x_response')
    expect(found, broken).toBeUndefined()
  }
})

test('rejects a bill whose lines do not match its totals', () => {
  const head = '交易时间,微信订单号,商户订单号,交易状态,商户退款单号,商品名称,手续费,订单金额,申请退款金额'
  const line = '`2026-03-01 10:00:00,`42,`pay1,`SUCCESS,`0,`with, comma,`0.06000,`10.00,`0.00'
  const totalsHead = '总交易单数,手续费总金额,订单总金额,申请退款总金额'
  const bill = (...rows: string[]) => readWechatBill(`\uFEFF${rows.join('\r\n')}\r\n`)
  expect(bill(head, line, totalsHead, '`1,`0.06000,`10.00,`0.00')).toMatchObject([{ payNo: 'pay1', fen: 1000n }])
  expect(bill(head, line, totalsHead, '`2,`0.06000,`10.00,`0.00')).toBeUndefined()
  expect(bill(head, line, totalsHead, '`1,`0.06000,`10.01,`0.00')).toBeUndefined()
  expect(bill(head, line, totalsHead, '`1,`0.05000,`10.00,`0.00')).toBeUndefined()
  expect(bill(head, line.replace('10.00', 'x'), totalsHead, '`1,`0.06000,`10.00,`0.00')).toBeUndefined()
  expect(bill(head, `${line},\`more`, totalsHead, '`1,`0.06000,`10.00,`0.00')).toBeUndefined()
  expect(bill('')).toBeUndefined()
})
