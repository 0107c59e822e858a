import { allRoutes } from '@wattdeck/contract/all-routes.ts'
import { isPrivateField } from '@wattdeck/contract/kit/privacy.ts'
import { bindPhone } from '@wattdeck/contract/personal/bind-phone.ts'
import { login } from '@wattdeck/contract/auth/login.ts'
import { department } from '@wattdeck/contract/system/department.ts'
import { staff } from '@wattdeck/contract/system/staff.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { stubBrowser } from '../api/browser.fixture.ts'
import { draftKey, dropDrafts, keepable, leavesOut, readDraft, writeDraft } from './drafts.ts'
import { fieldSchema } from './zod-rule.ts'

let kept: Map<string, string>
beforeEach(() => {
  kept = stubBrowser().kept
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
  it('comes back as it was, without what is personal', () => {
    writeDraft(key, staff.add, typed)
    expect(readDraft(key, staff.add)).toEqual({
      employeeNo: 'E1',
      loginName: 'ouyang',
      departmentId: '3',
      roleIds: ['1', '2'],
    })
    for (const secret of [typed.name, typed.phone, typed.email]) expect([...kept.values()].join()).not.toContain(secret)
  })

  it('of a form that holds nothing else is not written at all', () => {
    const otp = draftKey('7', login.confirmEnrolment, [])
    writeDraft(otp, login.confirmEnrolment, { code: '123456' })
    writeDraft(draftKey('7', bindPhone.bind, []), bindPhone.bind, { phone: '13911112222', code: '1', password: 'x' })
    expect(kept.size).toBe(0)
  })

  const bodies = allRoutes.filter(({ route }) => route.method === 'POST')
  it('of the form of any route holds no private field', () => {
    const leaking = bodies.filter(({ route }) => {
      const { shape } = route.body as unknown as { shape: object }
      const names = [...Object.keys(shape), 'phone', 'newPassword', 'idCard', 'bankCardNo', 'unknown']
      const written = Object.keys(keepable(route, Object.fromEntries(names.map((name) => [name, 'x']))))
      return written.some((name) => name === 'unknown' || isPrivateField(name, fieldSchema(route.body, name)))
    })
    expect(leaking.map(({ feature, name }) => `${feature}.${name}`)).toEqual([])
  })

  it('holds no value that would come back as another', () => {
    const values = { name: new Date(0), code: new Blob(['x']), type: Number.NaN, parentId: undefined }
    writeDraft(key, department.add, { ...values, type: 3 })
    expect(readDraft(key, department.add)).toEqual({ type: 3 })
  })

  it('belongs to one person, one form and one record as it was', () => {
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

  it('is gone when the form was emptied again, or has grown too large', () => {
    writeDraft(key, staff.add, typed)
    writeDraft(key, staff.add, {})
    expect(kept.size).toBe(0)
    writeDraft(key, staff.add, { employeeNo: 'x'.repeat(30_000) })
    expect(kept.size).toBe(0)
  })

  it('is not taken from whatever else stands in storage', () => {
    for (const text of ['', '{', '[]', '"x"', '7', 'null', '{"phone":"13911112222"}', '{"roleTopLevel":0}']) {
      kept.set(key, text)
      expect(readDraft(key, staff.add)).toBeUndefined()
    }
  })

  it('goes with the person who leaves, and nothing else does', () => {
    writeDraft(key, staff.add, typed)
    kept.set('access-token', 't')
    dropDrafts()
    expect([...kept.keys()]).toEqual(['access-token'])
  })

  it('says whether something has to be typed again', () => {
    expect([leavesOut(staff.add), leavesOut(staff.assignRoles)]).toEqual([true, false])
  })
})
