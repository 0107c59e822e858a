import { wechatUser } from '@wattdeck/contract/member/wechat-user.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import { exportHandler } from '../../../kit/bulk/list-export.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import { wechatUserExport } from './wechat-user.export.ts'
import * as store from './wechat-user.store.ts'

const wechatUserHandlers: Handlers<typeof wechatUser> = {
  list: ({ db, scope, query }) => store.listWechatUsers(db, scope, query),
  apps: ({ db, scope }) => store.listWechatApps(db, scope),
  exportList: exportHandler(wechatUserExport),
}

export const wechatUserFeature = defineFeature(wechatUser, wechatUserHandlers, { exports: [wechatUserExport] })
