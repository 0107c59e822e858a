import { z } from 'zod'
import { basicServiceStatus, userType } from '../common.ts'
import { get, post } from '../kit/route.ts'
import { id, row } from '../kit/wire.ts'
import { MenuNode } from './menu-node.ts'

/** Every field of spec §3 'User session'. */
export type UserInfo = z.infer<typeof UserInfo>
export const UserInfo = row({
  id: z.string(),
  operatorId: z.string(),
  userName: z.string(),
  phone: z.string(),
  userPhone: z.string(),
  dPhone: z.string().nullable(),
  employeeId: z.string(),
  userType: userType.schema,
  roleTopLevel: z.int(),
  departmentId: z.string().nullable(),
  departmentFullName: z.string().nullable(),
  parentDepartmentName: z.string().nullable(),
  organiseId: z.string(),
  organiseName: z.string(),
  agentId: z.string().nullable(),
  parentAgentId: z.string().nullable(),
  agentFullName: z.string().nullable(),
  email: z.string().nullable(),
  address: z.string().nullable(),
  loginName: z.string(),
  access_token: z.string(),
  roleCodeList: z.array(z.string()),
  deviceTypes: z.array(row({ code: z.string(), id: z.string(), name: z.string() })),
  theme: z.enum(['light', 'dark', 'system']),
  color: z.string(),
  menuTree: z.array(MenuNode),
  authorisedRoutes: z.array(z.string()),
  shoppingCartCount: z.int(),
  basicServiceStatus: basicServiceStatus.schema,
  hasDesensitizePermission: z.boolean(),
  currentCategoryCode: z.string().nullable(),
  allinPayFinancialAuthority: z.boolean(),
  /** Beyond the specification: what the console needs to show its buttons and the person's picture. */
  grants: z.array(z.string()).describe('menu key, colon, action kind'),
  avatar: z.string().nullable(),
  actedBy: z.string().nullable().describe('who opened this session by a quick-login link, if somebody did'),
}).meta({ id: 'UserInfo' })

export const session = {
  userInfo: get('/seeker/api/user/userInfo', { access: 'anyone', data: UserInfo }),
  verifyPermissions: post('/seeker/api/platformProperty/verifyPermissions/{userId}', {
    access: 'anyone',
    audit: 'none',
    params: row({ userId: id }),
    data: z.boolean(),
  }),
}
