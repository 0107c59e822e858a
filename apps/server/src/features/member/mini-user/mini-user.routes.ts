import { enabledStatus } from '@wattdeck/contract/common.ts'
import { memberChannel } from '@wattdeck/contract/member/member-row.ts'
import { miniUser, miniUserList } from '@wattdeck/contract/member/mini-user.ts'
import { switchColumn } from '../../../kit/db/rows.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import { placeOf } from '../../../kit/auth/actor.ts'
import { exportHandler, exportOf } from '../../../kit/bulk/list-export.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import { publishToOrganisation } from '../../../kit/events/outbox.ts'
import { conflict, orNotFound } from '../../../kit/http/refusal.ts'
import { listApps, listMembers } from '../_shared/member-list.store.ts'
import * as store from './mini-user.store.ts'

const channel = memberChannel.code.miniProgram
const miniUserExport = exportOf('miniUser', miniUserList, (db, scope, query) => listMembers(db, scope, channel, query))

const miniUserHandlers: Handlers<typeof miniUser> = {
  list: ({ db, scope, query }) => listMembers(db, scope, channel, query),
  apps: ({ db, scope }) => listApps(db, scope, channel),

  toggle: async (ctx) => {
    const { db, actor, body } = ctx
    const member = orNotFound(await store.findMember(db, body.memberId))
    const { label } = enabledStatus.show(body.status)
    ctx.setAuditDetail(`${label} ${member.id} ${member.nickname}`)
    if (!(await switchColumn(db, 'member', member.id, 'status', body.status))) throw conflict(`会员已${label}`)
    await publishToOrganisation(
      db,
      { ...placeOf(actor), organise_id: member.organise_id },
      { kind: 'changed', list: 'member' },
    )
    return null
  },

  exportList: exportHandler(miniUserExport),
}

export const miniUserFeature = defineFeature(miniUser, miniUserHandlers, { exports: [miniUserExport] })
