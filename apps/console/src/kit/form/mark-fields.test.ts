import { expect, it, vi } from 'vitest'
import { markFields } from './mark-fields.ts'

type Mark = { name: unknown; errors?: string[] }
const formOf = (...names: (string | number)[][]) => ({
  getFieldsError: () => names.map((name) => ({ name })),
  setFields: vi.fn<(fields: Mark[]) => void>(),
  focusField: vi.fn<(name: unknown) => void>(),
})

it('shows server errors at their fields and focuses the first one', () => {
  const form = formOf(['name'], ['phone'], ['items', 0], ['code'])
  markFields(form, { code: '编码已存在', phone: '请输入正确的手机号', items: '至少一项', unknown: '不在表单中' })
  expect(form.setFields).toHaveBeenCalledExactlyOnceWith([
    { name: ['phone'], errors: ['请输入正确的手机号'] },
    { name: ['code'], errors: ['编码已存在'] },
  ])
  expect(form.focusField).toHaveBeenCalledExactlyOnceWith(['phone'])
})

it('ignores errors of fields that the form does not have', () => {
  const form = formOf(['name'])
  markFields(form, { pageSize: '请输入整数' })
  expect(form.setFields).not.toHaveBeenCalled()
  expect(form.focusField).not.toHaveBeenCalled()
})
