import { enabledStatus } from '../common.ts'
import { f } from '../kit/fields.ts'
import { defineList } from '../kit/list.ts'
import { screenRoutes } from '../kit/screen-routes.ts'
import { id } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { memberFilter, identityFields, walletFields, historyFields, personFields } from './member-fields.ts'
import { followStatus, MemberApps } from './member-row.ts'

const menu = menuKey.miniUser
const module = '小程序用户管理'
const { read, change } = screenRoutes({ menu, module })

export const miniUserList = defineList('/wechat/api/miniUser', {
  menu,
  module,
  fields: {
    ...personFields,
    status: f.code('状态', enabledStatus, { width: 90 }),
    ...walletFields,
    appName: f.shown('小程序', { width: 140 }),
    ...historyFields,
    lastLoginAt: f.time('最近登录', { optional: true, width: 120 }),
    ...identityFields,
    unionId: f.person('UnionID', 'openId', { optional: true, width: 180, hidden: true }),
    following: f.data(followStatus.schema),
  },
  decided: [
    ['nickname', 'memberId'],
    ['status'],
    ['phone'],
    ['balance', 'frozen'],
    ['paidBalance', 'giftBalance'],
    ['recharged', 'consumed'],
    ['siteName', 'appName'],
    ['lastConsumedAt', 'lastLoginAt'],
  ],
  sorts: ['registeredAt'],
  filter: { ...memberFilter, exact: ['status'], days: 'registeredAt' },
  exports: true,
})

/** Members of mini-programs. */
export const miniUser = {
  ...miniUserList.routes,
  apps: read('/wechat/api/miniUser/apps', { data: MemberApps }),
  /** A disabled member starts no charge; running charges are billed normally. */
  toggle: change('/wechat/api/miniUser/toggle', '启停会员', { memberId: id, status: enabledStatus.wire }),
}
