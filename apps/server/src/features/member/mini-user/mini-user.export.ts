import { miniColumns } from '@wattdeck/contract/member/member-row.ts'
import { miniUser } from '@wattdeck/contract/member/mini-user.ts'
import { listExport } from '../../../kit/bulk/exports.ts'
import { memberCells } from '../_shared/member-export.ts'
import { listMiniUsers } from './mini-user.store.ts'

export const miniUserExport = listExport({
  list: 'miniUser',
  title: '小程序用户管理',
  module: '小程序用户管理',
  route: miniUser.list,
  read: listMiniUsers,
  columns: memberCells(miniColumns),
})
