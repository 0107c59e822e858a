import { exportList } from '../kit/bulk.ts'
import { page } from '../kit/page.ts'
import { get } from '../kit/route.ts'
import { menuKey } from '../menu-keys.ts'
import { followStatus, MemberApps, MemberQuery, MemberRow } from './member-row.ts'

const menu = menuKey.wechatUser

/** Members who came through a public account. */
export const wechatUser = {
  list: get('/wechat/api/wechatUser/pageList', {
    access: { menu },
    query: MemberQuery.extend({ following: followStatus.wire.optional() }),
    data: page(MemberRow),
  }),
  apps: get('/wechat/api/wechatUser/apps', { access: { menu }, data: MemberApps }),
  exportList: exportList('/wechat/api/wechatUser/export', { menu, module: '微信用户' }),
}
