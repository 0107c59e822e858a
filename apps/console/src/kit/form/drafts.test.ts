import { allRoutes } from '@wattdeck/contract/all-routes.ts'
import { isPrivateField } from '@wattdeck/contract/kit/privacy.ts'
import { bindPhone } from '@wattdeck/contract/personal/bind-phone.ts'
import { login } from '@wattdeck/contract/auth/login.ts'
import { department } from '@wattdeck/contract/system/department.ts'
import { staff } from '@wattdeck/contract/system/staff.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { stubBrowser } from '../api/browser.fixture.ts'
import { draftKey, dropDrafts, storableFields, hasPrivateFields, readDraft, writeDraft } from './drafts.ts'
import { fieldSchema } from './zod-rule.ts'

let storage: Map<string, string>
beforeEach(() => {
  storage = stubBrowser().kept
})
afterEach(() => {
  vi.unstubAllGlobals()
})

const key = draftKey('7', staff.add, ['新增员工'])
const typed = {
  employeeNo: 'E1',
  name: '欧阳修远',
  phone: '13911112222',
  email: 'ouyang@example.cn',
  loginName: 'ouyang',
  departmentId: '3',
  roleIds: ['1', '2'],
}

describe('a draft', () => {
  it('is restored without personal fields', () => {
    writeDraft(key, staff.add, typed)
    expect(readDraft(key, staff.add)).toEqual({
      employeeNo: 'E1',
      loginName: 'ouyang',
      departmentId: '3',
      roleIds: ['1', '2'],
    })
    for (const secret of [typed.name, typed.phone, typed.email])
      expect([...storage.values()].join()).not.toContain(secret)
  })

  it('of a form with personal fields only is not written', () => {
    const otp = draftKey('7', login.confirmEnrolment, [])
    writeDraft(otp, login.confirmEnrolment, { code: '123456' })
    writeDraft(draftKey('7', bindPhone.bind, []), bindPhone.bind, { phone: '13911112222', code: '1', password: 'x' })
    expect(storage.size).toBe(0)
  })

  const bodies = allRoutes.filter(({ route }) => route.method === 'POST')
  it('of the form of any route holds no private field', () => {
    const leaking = bodies.filter(({ route }) => {
      const { shape } = route.body as unknown as { shape: object }
      const names = [...Object.keys(shape), 'phone', 'newPassword', 'idCard', 'bankCardNo', 'unknown']
      const written = Object.keys(storableFields(route, Object.fromEntries(names.map((name) => [name, 'x']))))
      return written.some((name) => name === 'unknown' || isPrivateField(name, fieldSchema(route.body, name)))
    })
    expect(leaking.map(({ feature, name }) => `${feature}.${name}`)).toEqual([])
  })

  it('holds no value that JSON would change', () => {
    const values = { name: new Date(0), code: new Blob(['x']), type: Number.NaN, parentId: undefined }
    writeDraft(key, department.add, { ...values, type: 3 })
    expect(readDraft(key, department.add)).toEqual({ type: 3 })
  })

  it('belongs to one user, one form and one version of a record', () => {
    const others = [
      draftKey('8', staff.add, ['新增员工']),
      draftKey('7', staff.edit, ['新增员工']),
      draftKey('7', staff.add, ['新增员工', { departmentId: '3' }]),
    ]
    writeDraft(key, staff.add, typed)
    for (const other of others) expect(readDraft(other, staff.add)).toBeUndefined()
    expect(key).not.toContain('新增员工')
    expect(draftKey('7', staff.add, [{ fen: 1n }])).not.toBe(draftKey('7', staff.add, [{ fen: 2n }]))
  })

  it('is removed when the form is empty again or too large', () => {
    writeDraft(key, staff.add, typed)
    writeDraft(key, staff.add, {})
    expect(storage.size).toBe(0)
    writeDraft(key, staff.add, { employeeNo: 'x'.repeat(30_000) })
    expect(storage.size).toBe(0)
  })

  it('is not restored from invalid content of the storage', () => {
    for (const text of ['', '{', '[]', '"x"', '7', 'null', '{"phone":"13911112222"}', '{"roleTopLevel":0}']) {
      storage.set(key, text)
      expect(readDraft(key, staff.add)).toBeUndefined()
    }
  })

  it('is removed at logout, and no other key is', () => {
    writeDraft(key, staff.add, typed)
    storage.set('access-token', 't')
    dropDrafts()
    expect([...storage.keys()]).toEqual(['access-token'])
  })

  it('reports whether the form has fields that are not restored', () => {
    expect([hasPrivateFields(staff.add), hasPrivateFields(staff.assignRoles)]).toEqual([true, false])
  })
})
