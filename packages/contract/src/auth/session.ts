import { z } from 'zod'
import { basicServiceStatus, userType } from '../common.ts'
import { personal } from '../kit/personal.ts'
import { done, get, post } from '../kit/route.ts'
import { date, id, row, text } from '../kit/wire.ts'
import { MenuNode } from './menu-node.ts'

/** Every field of spec §3 'User session'. */
export type UserInfo = z.infer<typeof UserInfo>
export const UserInfo = row({
  id: z.string(),
  operatorId: z.string(),
  userName: z.string(),
  phone: personal('phone'),
  userPhone: personal('phone'),
  dPhone: personal('phone').nullable(),
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
  /** Beyond the specification: data for the buttons of the console and the user's picture. */
  grants: z.array(z.string()).describe('menu key, colon, action kind'),
  serviceExpiresOn: date.nullable().describe('last day of the basic service; null until the platform has set it'),
  avatar: z.string().nullable(),
  actedBy: z.string().nullable().describe('user who opened this session by a quick-login link'),
}).meta({ id: 'UserInfo' })

/** The record kinds with personal values. */
export type PersonalKind = z.infer<typeof personalKind>
export const personalKind = z.enum([
  'user',
  'department',
  'organise',
  'agent',
  'site',
  'operationArea',
  'repairTicket',
  'enterpriseRefund',
  'member',
  'memberIdentity',
  'memberBlock',
  'supplier',
  'whitelist',
  'storedCard',
])

export const session = {
  userInfo: get('/seeker/api/user/userInfo', { access: 'anyone', data: UserInfo }),
  /**
   * Whether a user may unmask values. With a named value, the caller requests it: a grant is logged with its reason,
   * and personalData.read returns the value for half a minute.
   */
  verifyPermissions: post('/seeker/api/platformProperty/verifyPermissions/{userId}', {
    access: 'anyone',
    audit: { module: '敏感信息', does: '查看明文' },
    params: row({ userId: id }),
    body: row({
      kind: personalKind.optional(),
      rowId: id.optional(),
      field: z
        .string()
        .regex(/^[a-zA-Z]{1,30}$/, '字段不存在')
        .optional(),
      reason: text(100, '查看原因').min(2, '请填写查看原因').optional(),
    }),
    data: z.boolean(),
  }),
  /** The console reports that the watermark was removed from the page. */
  watermarkRemoved: post('/seeker/api/session/watermarkRemoved', {
    access: 'anyone',
    audit: { module: '安全', does: '移除页面水印' },
    data: done,
  }),
}
