import { wechatColumns } from '@wattdeck/contract/member/member-row.ts'
import { wechatUser } from '@wattdeck/contract/member/wechat-user.ts'
import { listExport } from '../../../kit/bulk/exports.ts'
import { memberCells } from '../_shared/member-export.ts'
import { listWechatUsers } from './wechat-user.store.ts'

export const wechatUserExport = listExport({
  list: 'wechatUser',
  title: '微信用户',
  module: '微信用户',
  route: wechatUser.list,
  read: listWechatUsers,
  columns: memberCells(wechatColumns),
})
