import { enabledStatus } from '../common.ts'
import { f } from '../kit/fields.ts'
import { defineList } from '../kit/list.ts'
import { personal } from '../kit/personal.ts'
import { type DataOf, get } from '../kit/route.ts'
import { time } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { memberFilter, identityFields, walletFields, historyFields, personFields } from './member-fields.ts'
import { followStatus, MemberApps } from './member-row.ts'

const menu = menuKey.wechatUser

export const wechatUserList = defineList('/wechat/api/wechatUser', {
  menu,
  module: '微信用户',
  fields: {
    ...personFields,
    following: f.code('关注状态', followStatus, { width: 100 }),
    ...walletFields,
    appName: f.shown('公众号', { width: 140 }),
    ...historyFields,
    ...identityFields,
    unionId: f.data(personal('openId').nullable()),
    status: f.data(enabledStatus.schema),
    lastLoginAt: f.data(time.nullable()),
  },
  decided: [
    ['nickname', 'memberId'],
    ['following'],
    ['phone'],
    ['balance', 'frozen'],
    ['paidBalance', 'giftBalance'],
    ['recharged', 'consumed'],
    ['siteName', 'appName'],
    ['lastConsumedAt'],
  ],
  sorts: ['registeredAt'],
  filter: { ...memberFilter, exact: ['following'], days: 'registeredAt' },
  exports: true,
})
export type MemberRow = DataOf<typeof wechatUserList.routes.list>['rows'][number]

/** Members of public accounts. */
export const wechatUser = {
  ...wechatUserList.routes,
  apps: get('/wechat/api/wechatUser/apps', { access: { menu }, data: MemberApps }),
}
