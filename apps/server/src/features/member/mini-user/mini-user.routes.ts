import { enabledStatus } from '@wattdeck/contract/common.ts'
import { miniUser } from '@wattdeck/contract/member/mini-user.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import { placeOf } from '../../../kit/auth/actor.ts'
import { exportHandler } from '../../../kit/bulk/list-export.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import { publishToOrganisation } from '../../../kit/events/outbox.ts'
import { conflict, notFound } from '../../../kit/http/refusal.ts'
import { miniUserExport } from './mini-user.export.ts'
import * as store from './mini-user.store.ts'

const miniUserHandlers: Handlers<typeof miniUser> = {
  list: ({ db, scope, query }) => store.listMiniUsers(db, scope, query),
  apps: ({ db, scope }) => store.listMiniApps(db, scope),

  toggle: async (ctx) => {
    const { db, actor, body } = ctx
    const member = await store.findMember(db, body.memberId)
    if (member === undefined) throw notFound()
    const { label } = enabledStatus.show(body.status)
    ctx.setAuditDetail(`${label} ${member.id} ${member.nickname}`)
    if (!(await store.setStatus(db, member.id, body.status))) throw conflict(`会员已${label}`)
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
