import { enabledStatus } from '../common.ts'
import { exportList } from '../kit/bulk.ts'
import { page } from '../kit/page.ts'
import { done, get, post } from '../kit/route.ts'
import { id, row } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { MemberApps, MemberQuery, MemberRow } from './member-row.ts'

const menu = menuKey.miniUser
const module = '小程序用户管理'

/** Members who came through a mini-program. */
export const miniUser = {
  list: get('/wechat/api/miniUser/pageList', {
    access: { menu },
    query: MemberQuery.extend({ status: enabledStatus.wire.optional() }),
    data: page(MemberRow),
  }),
  apps: get('/wechat/api/miniUser/apps', { access: { menu }, data: MemberApps }),
  /** Who is disabled starts no charge; what runs is billed as always. */
  toggle: post('/wechat/api/miniUser/toggle', {
    access: { menu, action: 'edit' },
    audit: { module, does: '启停会员' },
    body: row({ memberId: id, status: enabledStatus.wire }),
    data: done,
  }),
  exportList: exportList('/wechat/api/miniUser/export', { menu, module }),
}
