import { memberChannel } from '@wattdeck/contract/member/member-row.ts'
import type { wechatUser } from '@wattdeck/contract/member/wechat-user.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import type { Db } from '../../../kit/db/db.ts'
import type { Paging } from '../../../kit/db/paging.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { listApps, listMembers } from '../_shared/member-list.store.ts'

const channel = memberChannel.code.publicAccount

export const listWechatUsers = (db: Db, scope: Scope, filter: QueryOf<typeof wechatUser.list> & Paging) =>
  listMembers(db, scope, channel, filter)

export const listWechatApps = (db: Db, scope: Scope) => listApps(db, scope, channel)
