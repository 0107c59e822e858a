import { memberChannel } from '@wattdeck/contract/member/member-row.ts'
import { wechatUser, wechatUserList } from '@wattdeck/contract/member/wechat-user.ts'
import { exportHandler, exportOf } from '../../../kit/bulk/list-export.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import { listApps, listMembers } from '../_shared/member-list.store.ts'

// No store: both member lists share one query.
const channel = memberChannel.code.publicAccount
const wechatUserExport = exportOf('wechatUser', wechatUserList, (db, scope, query) =>
  listMembers(db, scope, channel, query),
)

const wechatUserHandlers: Handlers<typeof wechatUser> = {
  list: ({ db, scope, query }) => listMembers(db, scope, channel, query),
  apps: ({ db, scope }) => listApps(db, scope, channel),
  exportList: exportHandler(wechatUserExport),
}

export const wechatUserFeature = defineFeature(wechatUser, wechatUserHandlers, { exports: [wechatUserExport] })
