import { email, idList, row, text, whole } from '@wattdeck/contract/kit/wire.ts'
import { describe, expect, it } from 'vitest'
import { fieldProblem, fieldSchema, isRequired, zodRule } from './zod-rule.ts'

const body = row({ name: text(4, '姓名'), email: email.optional(), sort: whole(0, 99), roleIds: idList() })
const form = { encoding: 'form', missing: '请输入姓名' }
const problem = (field: string, value: unknown) => fieldProblem(fieldSchema(body, field), value, form)

describe('a field of a form', () => {
  it.each([undefined, null, '', []])('that is required is reported as missing when it is %j', (value) => {
    expect(problem('name', value)).toBe('请输入姓名')
  })

  it('that is optional may be empty, but not invalid', () => {
    expect(problem('email', '')).toBeUndefined()
    expect(problem('email', 'nobody')).toBe('请输入正确的邮箱')
  })

  it('is validated by the contract as the text that is sent', () => {
    expect(problem('name', '张伟')).toBeUndefined()
    expect(problem('name', '张伟张伟张')).toBe('姓名不能超过4个字符')
    expect(problem('sort', 7)).toBeUndefined()
    expect(problem('sort', 100)).toBe('请输入0到99之间的整数')
    expect(problem('roleIds', ['1', '2'])).toBeUndefined()
  })

  it('that is not in the contract has no rule', () => expect(problem('repeatPassword', 'x')).toBeUndefined())

  it('is marked when it is required', () => {
    expect(isRequired(fieldSchema(body, 'name'))).toBe(true)
    expect(isRequired(fieldSchema(body, 'email'))).toBe(false)
    expect(isRequired(undefined)).toBe(false)
  })
})

it('a rule of antd rejects with the message', async () => {
  const rule = zodRule(body, 'name', form)
  await expect(rule.validator({}, '张伟')).resolves.toBeUndefined()
  await expect(rule.validator({}, '')).rejects.toThrow('请输入姓名')
})
