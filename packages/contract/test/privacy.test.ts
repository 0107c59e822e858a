import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { aboutPerson, isPrivateField, secretive } from '../src/kit/privacy.ts'
import * as wire from '../src/kit/wire.ts'

const word = z.string()

describe('a field', () => {
  it.each([
    ['a phone', wire.phone],
    ['an e-mail', wire.email],
    ['a code from a text message', wire.smsCode],
    ['a secret', wire.secret(20)],
    ['a marked text', aboutPerson(wire.text(30, '姓名'))],
    ['a marked number', secretive(wire.whole(1, 9))],
  ])('that is %s is private', (_, schema) => expect(isPrivateField('x', schema)).toBe(true))

  it.each([
    ['optional', wire.phone.optional()],
    ['nullable', wire.phone.nullable()],
    ['given a default', wire.phone.default('13800138000')],
    ['described', wire.phone.optional().describe('left out: unchanged')],
    ['checked further', wire.phone.refine((text) => text !== '')],
    ['transformed', wire.phone.transform((text) => text.slice(-4))],
    ['one of a list', z.array(wire.phone)],
    ['one of several', z.union([word, wire.phone])],
    ['inside a row', wire.row({ name: word, contact: wire.row({ reach: wire.phone }) })],
    ['inside a list of rows', z.array(wire.row({ reach: wire.phone }))],
  ])('stays private when it is %s', (_, schema) => expect(isPrivateField('x', schema)).toBe(true))

  it('is private by its name when the mark is missing', () => {
    for (const name of ['phone', 'leaderPhone', 'mobile', 'userEmail', 'newPassword', 'apiSecret', 'captchaCode'])
      expect([name, isPrivateField(name, word)]).toEqual([name, true])
    for (const name of ['idCard', 'idCardNo', 'idNumber', 'bankCardNo', 'bankCard', 'accessToken'])
      expect([name, isPrivateField(name, word)]).toEqual([name, true])
    expect(isPrivateField('contact', wire.row({ mobile: word }))).toBe(true)
  })

  it('without a schema is private', () => expect(isPrivateField('remark', undefined)).toBe(true))

  it('with business data is not private', () => {
    for (const name of ['name', 'code', 'organiseId', 'roleIds', 'remark', 'address', 'status', 'sort', 'amount'])
      expect([name, isPrivateField(name, word.optional())]).toEqual([name, false])
    expect(isPrivateField('ids', wire.idList())).toBe(false)
    expect(isPrivateField('amount', wire.yuan)).toBe(false)
  })
})
