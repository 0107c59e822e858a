import { enabledStatus } from '@wattdeck/contract/common.ts'
import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import {
  periodText,
  planList,
  rechargeThreshold,
  tiersInFen,
  tiersText,
} from '@wattdeck/contract/operating/recharge-threshold.ts'
import { parseYuan } from '@wattdeck/domain/money.ts'
import { belowMinimum } from '@wattdeck/domain/recharge-plan.ts'
import { exportHandler, exportOf } from '../../../kit/bulk/list-export.ts'
import { listQuery } from '../../../kit/db/list-query.ts'
import { publishToOrganisation } from '../../../kit/events/outbox.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import { conflict, invalid, orNotFound } from '../../../kit/http/refusal.ts'
import { chosenPlace, type Place } from '../../_shared/place.store.ts'
import * as store from './recharge-threshold.store.ts'

const planExport = exportOf('rechargeThreshold', planList, store.planSource)

type Body = Omit<BodyOf<typeof rechargeThreshold.edit>, 'id'>

function contentOf(body: Body): store.PlanContent {
  const minFen = parseYuan(body.min) ?? 0n
  const problem = belowMinimum({ minFen, tiers: tiersInFen(body.tiers) })
  if (problem !== undefined) throw invalid(problem, 'tiers')
  if (body.endsOn !== undefined && body.endsOn < body.startsOn) throw invalid('截止日期不能早于生效日期', 'endsOn')
  return {
    min_fen: minFen.toString(),
    allows_custom: body.allowsCustom,
    gift_valid_days: body.giftValidDays ?? null,
    starts_on: body.startsOn,
    ends_on: body.endsOn ?? null,
  }
}

const summaryOf = ({ min, tiers, startsOn, endsOn }: Body) =>
  `最低${min}元，${tiersText(tiers)}，${periodText({ startsOn, endsOn: endsOn ?? null })}`

const publishChange = ({ db }: Pick<Ctx<never>, 'db'>, { organise_id, agent_id, site_id }: Place) =>
  publishToOrganisation(db, { organise_id, agent_id, site_id }, { kind: 'changed', list: 'rechargeThreshold' })

const rechargeThresholdHandlers: Handlers<typeof rechargeThreshold> = {
  list: ({ db, scope, query }) => listQuery(db, scope, planList, store.planSource, query),

  add: async (ctx) => {
    const { db, actor, body } = ctx
    const { organiseId, agentId, siteId, ...content } = body
    const place = await chosenPlace(db, actor, { organiseId, agentId, siteId })
    const by = { created_by: actor.userName, updated_by: actor.userName }
    const id = await store.addPlan(db, { ...contentOf(content), ...place, ...by })
    await store.writeTiers(db, { id, organise_id: place.organise_id }, tiersInFen(content.tiers))
    ctx.setAuditDetail(summaryOf(content))
    await publishChange(ctx, place)
    return { id }
  },

  edit: async (ctx) => {
    const { db, actor, body } = ctx
    const { id, ...content } = body
    const plan = orNotFound(await store.findPlan(db, id))
    await store.changePlan(db, id, { ...contentOf(content), updated_by: actor.userName })
    await store.writeTiers(db, plan, tiersInFen(content.tiers))
    ctx.setAuditDetail(summaryOf(content))
    await publishChange(ctx, plan)
    return null
  },

  toggle: async (ctx) => {
    const { db, actor, body } = ctx
    const plan = orNotFound(await store.findPlan(db, body.id))
    if (!(await store.switchPlan(db, body.id, body.status, actor.userName)))
      throw conflict('充值门槛状态已变更，请刷新后重试')
    ctx.setAuditDetail(enabledStatus.show(body.status).label)
    await publishChange(ctx, plan)
    return null
  },

  remove: async (ctx) => {
    const plan = orNotFound(await store.findPlan(ctx.db, ctx.body.id))
    if (!(await store.removePlan(ctx.db, plan.id))) throw conflict('已有会员按该门槛充值，不能删除，可停用')
    await publishChange(ctx, plan)
    return null
  },

  exportList: exportHandler(planExport),
}

export const rechargeThresholdFeature = defineFeature(rechargeThreshold, rechargeThresholdHandlers, {
  exports: [planExport],
})
