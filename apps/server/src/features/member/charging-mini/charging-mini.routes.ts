import { enabledStatus } from '@wattdeck/contract/common.ts'
import { chargingMini, chargingMiniList } from '@wattdeck/contract/member/charging-mini.ts'
import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { requestExport } from '../../../kit/bulk/exports.ts'
import { exportOf } from '../../../kit/bulk/list-export.ts'
import { listQuery } from '../../../kit/db/list-query.ts'
import { publishToOrganisation } from '../../../kit/events/outbox.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import { conflict, orNotFound } from '../../../kit/http/refusal.ts'
import { setStatus } from '../../../kit/http/set-status.ts'
import { chosenPlace } from '../../_shared/place.store.ts'
import { assertOrganiseStaff } from '../_shared/organise-staff.ts'
import * as store from './charging-mini.store.ts'

type Some = Pick<Ctx<never>, 'db' | 'scope'>
const appExport = exportOf('chargingMini', chargingMiniList, store.appSource)

async function toChange(ctx: Some, id: string) {
  assertOrganiseStaff(ctx)
  return orNotFound(await store.lockApp(ctx.db, id))
}

const publishChange = ({ db }: Pick<Some, 'db'>, organise_id: string) =>
  publishToOrganisation(db, { organise_id, agent_id: null, site_id: null }, { kind: 'changed', list: 'chargingMini' })

const lookOf = ({ name, themeColor, hotline, domain }: Omit<BodyOf<typeof chargingMini.edit>, 'id'>) => ({
  name,
  theme_color: themeColor ?? null,
  hotline: hotline ?? null,
  domain: domain ?? null,
})

const chargingMiniHandlers: Handlers<typeof chargingMini> = {
  list: (ctx) => {
    assertOrganiseStaff(ctx)
    return listQuery(ctx.db, ctx.scope, chargingMiniList, store.appSource, ctx.query)
  },

  add: async (ctx) => {
    const { db, actor, body } = ctx
    assertOrganiseStaff(ctx)
    const { organise_id } = await chosenPlace(db, actor, { organiseId: body.organiseId })
    const id = await store.addApp(db, {
      ...lookOf(body),
      organise_id,
      channel: body.channel,
      app_id: body.appId,
      created_by: actor.userName,
    })
    if (id === undefined) throw conflict('该AppID已登记')
    ctx.setAuditDetail(`${body.name} ${body.appId}`)
    await publishChange(ctx, organise_id)
    return { id }
  },

  edit: async (ctx) => {
    const { db, body } = ctx
    const app = await toChange(ctx, body.id)
    await store.editApp(db, app.id, lookOf(body))
    ctx.setAuditDetail(`${body.name} ${app.app_id}`)
    await publishChange(ctx, app.organise_id)
    return null
  },

  toggle: async (ctx) => {
    const { db, body } = ctx
    const app = await toChange(ctx, body.id)
    await setStatus(db, 'member_app', body, '小程序')
    const { label } = enabledStatus.show(body.status)
    ctx.setAuditDetail(`${app.name} ${app.app_id} ${label}`)
    ctx.setMessage(`${app.name}已${label}`)
    await publishChange(ctx, app.organise_id)
    return null
  },

  remove: async (ctx) => {
    const app = await toChange(ctx, ctx.body.id)
    if (await store.hasMembers(ctx.db, app.id)) throw conflict('已有会员通过该小程序注册，不能删除，可以停用')
    await store.removeApp(ctx.db, app.id)
    ctx.setAuditDetail(`${app.name} ${app.app_id}`)
    await publishChange(ctx, app.organise_id)
    return null
  },

  exportList: (ctx) => {
    assertOrganiseStaff(ctx)
    ctx.setAuditDetail(ctx.body.conditions ?? '全部')
    ctx.setMessage('导出任务已提交，请前往「下载管理」查看')
    return requestExport(ctx, appExport, ctx.body)
  },
}

export const chargingMiniFeature = defineFeature(chargingMini, chargingMiniHandlers, { exports: [appExport] })
