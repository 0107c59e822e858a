import { expect, it, vi } from 'vitest'
import { markFields } from './mark-fields.ts'

type Mark = { name: unknown; errors?: string[] }
const formOf = (...names: (string | number)[][]) => ({
  getFieldsError: () => names.map((name) => ({ name })),
  setFields: vi.fn<(fields: Mark[]) => void>(),
  focusField: vi.fn<(name: unknown) => void>(),
})

it('what the server says against a field stands at it, and the first of them has the focus', () => {
  const form = formOf(['name'], ['phone'], ['items', 0], ['code'])
  markFields(form, { code: '编码已存在', phone: '请输入正确的手机号', items: '至少一项', unknown: '不在表单中' })
  expect(form.setFields).toHaveBeenCalledExactlyOnceWith([
    { name: ['phone'], errors: ['请输入正确的手机号'] },
    { name: ['code'], errors: ['编码已存在'] },
  ])
  expect(form.focusField).toHaveBeenCalledExactlyOnceWith(['phone'])
})

it('a refusal without fields of the form leaves it as it is', () => {
  const form = formOf(['name'])
  markFields(form, { pageSize: '请输入整数' })
  expect(form.setFields).not.toHaveBeenCalled()
  expect(form.focusField).not.toHaveBeenCalled()
})
