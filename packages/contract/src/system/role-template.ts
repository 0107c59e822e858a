import { z } from 'zod'
import { userType } from '../common.ts'
import { get, post } from '../kit/route.ts'
import { row } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { ownerIds } from './ownership.ts'

/** A predefined role, and the part of it that the selected owner can get. */
export type RoleTemplate = z.infer<typeof RoleTemplate>
export const RoleTemplate = row({
  code: z.string(),
  name: z.string(),
  note: z.string(),
  userType: userType.schema.describe('user type of the created role'),
  pages: z.array(z.string()).describe('titles of the pages that the role can open'),
  problem: z.string().nullable().describe('why the template cannot be added now'),
})

const menu = menuKey.role
const codeList = z
  .string()
  .max(300)
  .regex(/^[A-Z][A-Z\d_]{1,29}(,[A-Z][A-Z\d_]{1,29})*$/, '请选择角色模板')
  .transform((text) => text.split(','))

export const roleTemplate = {
  /** Templates that fit the owner and that the caller may create. */
  list: get('/seeker/api/roleTemplate/list', {
    access: { menu },
    query: row(ownerIds),
    data: z.array(RoleTemplate),
  }),
  /** Creates all named roles or none. */
  add: post('/seeker/api/roleTemplate/save', {
    access: { menu, action: 'add' },
    audit: { module: '角色管理', does: '按模板新增角色' },
    idempotent: true,
    body: row({ ...ownerIds, codes: codeList }),
    data: row({ ids: z.array(z.string()) }),
  }),
}
