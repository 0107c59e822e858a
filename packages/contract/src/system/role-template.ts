import { z } from 'zod'
import { userType } from '../common.ts'
import { get, post } from '../kit/route.ts'
import { row } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { ownerIds } from './ownership.ts'

/** A role as it is delivered, and what of it can be given to the chosen place. */
export type RoleTemplate = z.infer<typeof RoleTemplate>
export const RoleTemplate = row({
  code: z.string(),
  name: z.string(),
  note: z.string(),
  userType: userType.schema.describe('that the role will have there'),
  pages: z.array(z.string()).describe('titles of the pages that the role will open'),
  problem: z.string().nullable().describe('why it cannot be added now'),
})

const menu = menuKey.role
const codeList = z
  .string()
  .max(300)
  .regex(/^[A-Z][A-Z\d_]{1,29}(,[A-Z][A-Z\d_]{1,29})*$/, '请选择角色模板')
  .transform((text) => text.split(','))

export const roleTemplate = {
  /** Those that fit the place and that the caller may make at all. */
  list: get('/seeker/api/roleTemplate/list', {
    access: { menu },
    query: row(ownerIds),
    data: z.array(RoleTemplate),
  }),
  /** All of the named or none. */
  add: post('/seeker/api/roleTemplate/save', {
    access: { menu, action: 'add' },
    audit: { module: '角色管理', does: '按模板新增角色' },
    idempotent: true,
    body: row({ ...ownerIds, codes: codeList }),
    data: row({ ids: z.array(z.string()) }),
  }),
}
