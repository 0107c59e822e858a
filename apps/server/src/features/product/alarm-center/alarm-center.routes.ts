import { alarmCenter, alarmList, incidentList } from '@wattdeck/contract/product/alarm-center.ts'
import { kindName, ruleMinutes, ruleThreshold } from '@wattdeck/contract/product/alarm-codes.ts'
import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import { placeOf } from '../../../kit/auth/actor.ts'
import { exportHandler, exportOf } from '../../../kit/bulk/list-export.ts'
import { listQuery } from '../../../kit/db/list-query.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import { publishToOrganisation } from '../../../kit/events/outbox.ts'
import { conflict, forbidden, invalid, notFound, orNotFound } from '../../../kit/http/refusal.ts'
import { alarmSource } from '../../_shared/alarm-source.ts'
import { organiseExists } from '../../_shared/place.store.ts'
import * as store from './alarm-center.store.ts'
import * as rules from './alarm-rule.store.ts'
import { deviceExists } from '../_shared/device.store.ts'

const alarmExport = exportOf('alarm', alarmList, alarmSource, { title: '告警列表' })

type Some = Pick<Ctx<never>, 'db' | 'scope' | 'actor'>

/** Changes all alarms or none: another user, or the device itself, may have ended one meanwhile. */
async function changeAll({ db, actor }: Some, ids: readonly string[], change: () => Promise<number>) {
  const requestedIds = new Set(ids)
  const alarms = await store.findAlarms(db, ids)
  if (alarms.length < requestedIds.size) throw notFound()
  const changed = await change()
  if (changed < requestedIds.size) throw conflict('所选告警已被处理，请刷新后重试')
  for (const organise_id of new Set(alarms.map((one) => one.organise_id)))
    await publishToOrganisation(db, { ...placeOf(actor), organise_id }, { kind: 'changed', list: 'alarm' })
  return { changed }
}

/** Organisation of the requested rules. Rules apply to a whole organisation, so agents and sites neither read nor write them. */
async function ruleOwner({ db, scope, actor }: Some, organiseId: string | undefined): Promise<string | undefined> {
  if (scope.level > 1) throw forbidden()
  if (scope.level === 1) {
    if (organiseId !== undefined && organiseId !== actor.organiseId) throw notFound()
    return actor.organiseId
  }
  if (organiseId !== undefined && !(await organiseExists(db, organiseId))) throw notFound()
  return organiseId
}

/** Validates the numbers that the kind needs, and drops those that it does not have. */
function checked(rule: Omit<BodyOf<typeof alarmCenter.saveRule>, 'organiseId'>) {
  const numberOf = (field: 'threshold' | 'minutes', terms: typeof ruleThreshold) => {
    const bounds = terms[kindName(rule.kind)]
    const value = rule[field]
    if (bounds === undefined) return undefined
    if (value === undefined || value < bounds.min || value > bounds.max)
      throw invalid(`${bounds.label}须在${bounds.min}到${bounds.max}${bounds.unit}之间`, field)
    return value
  }
  return { ...rule, threshold: numberOf('threshold', ruleThreshold), minutes: numberOf('minutes', ruleMinutes) }
}

const alarmCenterHandlers: Handlers<typeof alarmCenter> = {
  list: ({ db, scope, query }) => listQuery(db, scope, alarmList, alarmSource, query),
  totals: ({ db, scope, query }) => store.alarmTotals(db, scope, query),

  ofDevice: async ({ db, scope, params, query }) => {
    if (!(await deviceExists(db, params.id))) throw notFound()
    return listQuery(db, scope, alarmList, alarmSource, { ...query, deviceId: params.id })
  },

  acknowledge: (ctx) => {
    const { db, actor, body } = ctx
    return changeAll(ctx, body.ids, () => store.acknowledge(db, body.ids, actor.userName))
  },

  close: (ctx) => {
    const { db, actor, body } = ctx
    ctx.setAuditDetail(body.reason)
    return changeAll(ctx, body.ids, () => store.close(db, body.ids, { by: actor.userName, reason: body.reason }))
  },

  incidents: ({ db, scope, query }) => listQuery(db, scope, incidentList, store.incidentSource, query),
  incidentSites: async ({ db, params }) => {
    orNotFound(await store.findIncident(db, params.id))
    return store.incidentSites(db, params.id)
  },

  rules: async (ctx) => rules.readRules(ctx.db, await ruleOwner(ctx, ctx.query.organiseId)),

  saveRule: async (ctx) => {
    const { db, actor } = ctx
    const { organiseId, ...rule } = ctx.body
    const owner = await ruleOwner(ctx, organiseId)
    if (owner === undefined) await rules.saveDefault(db, checked(rule), actor.userName)
    else await rules.saveOwn(db, owner, checked(rule), actor.userName)
    return null
  },

  resetRule: async (ctx) => {
    const owner = await ruleOwner(ctx, ctx.body.organiseId)
    if (owner === undefined) throw invalid('请选择机构', 'organiseId')
    await rules.dropOwn(ctx.db, owner, ctx.body.kind)
    return null
  },

  exportList: exportHandler(alarmExport),
}

export const alarmCenterFeature = defineFeature(alarmCenter, alarmCenterHandlers, { exports: [alarmExport] })
