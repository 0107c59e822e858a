import { enabledStatus } from '@wattdeck/contract/common.ts'
import type { miniUser } from '@wattdeck/contract/member/mini-user.ts'
import { placeOf } from '../../kit/actor.ts'
import { requestExport } from '../../kit/exports.ts'
import type { Handlers } from '../../kit/handlers.ts'
import { tellOrganise } from '../../kit/outbox.ts'
import { conflict, notFound } from '../../kit/refusal.ts'
import { miniUserExport } from './mini-user.export.ts'
import * as store from './mini-user.store.ts'

export const miniUserHandlers: Handlers<typeof miniUser> = {
  list: ({ db, scope, query }) => store.listMiniUsers(db, scope, query),
  apps: ({ db, scope }) => store.listMiniApps(db, scope),

  toggle: async (ctx) => {
    const { db, scope, actor, body } = ctx
    const member = await store.findMember(db, scope, body.memberId)
    if (member === undefined) throw notFound()
    const { label } = enabledStatus.show(body.status)
    ctx.note(`${label} ${member.id} ${member.nickname}`)
    if (!(await store.setStatus(db, scope, member.id, body.status))) throw conflict(`会员已${label}`)
    await tellOrganise(db, { ...placeOf(actor), organise_id: member.organise_id }, { kind: 'changed', list: 'member' })
    return null
  },

  exportList: async (ctx) => {
    ctx.note(ctx.body.conditions ?? '全部')
    ctx.say('导出任务已提交，请前往「下载管理」查看')
    return requestExport(ctx, miniUserExport, ctx.body)
  },
}
