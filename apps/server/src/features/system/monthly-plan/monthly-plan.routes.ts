import { enabledStatus } from '@wattdeck/contract/common.ts'
import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { planReach, planUnit } from '@wattdeck/contract/system/monthly-plan-codes.ts'
import {
  monthlyPlan,
  monthlyPlanList,
  reachText,
  timesText,
  quotaText,
} from '@wattdeck/contract/system/monthly-plan.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { passMost } from '@wattdeck/domain/monthly-pass.ts'
import { exportHandler, exportOf } from '../../../kit/bulk/list-export.ts'
import { listQuery } from '../../../kit/db/list-query.ts'
import { rowExists } from '../../../kit/db/rows.ts'
import { publishToOrganisation } from '../../../kit/events/outbox.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import { conflict, invalid, notFound, orNotFound } from '../../../kit/http/refusal.ts'
import { chosenPlace, type Place } from '../../_shared/place.store.ts'
import * as store from './monthly-plan.store.ts'

const planExport = exportOf('monthlyPlan', monthlyPlanList, store.planSource)

type Some = Pick<Ctx<never>, 'db'>
type Body = Omit<BodyOf<typeof monthlyPlan.edit>, 'id'>

const publishChange = ({ db }: Some, { organise_id, agent_id, site_id }: Place) =>
  publishToOrganisation(db, { organise_id, agent_id, site_id }, { kind: 'changed', list: 'monthlyPlan' })

/** Exactly one quota of a use, and sites only where they are chosen. */
async function termsOf({ db }: Some, place: Place, body: Body): Promise<store.Terms> {
  const { name, price, days, unit, minutes, kwh, dayTimes, monthTimes, reach, siteIds } = body
  const sites =
    siteIds === undefined ? null : [...new Set(siteIds)].toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1))
  if (sites !== null && (await store.countSites(db, place, sites)) !== sites.length) throw notFound()
  if (price > BigInt(passMost.priceFen)) throw invalid(`价格不能超过${yuanText(BigInt(passMost.priceFen))}元`, 'price')
  const byMinutes = unit === planUnit.code.minutes
  if (byMinutes && minutes === undefined) throw invalid('请填写单次最长时长', 'minutes')
  if (!byMinutes && kwh === undefined) throw invalid('请填写单次电量', 'kwh')
  if (byMinutes ? kwh !== undefined : minutes !== undefined)
    throw invalid('单次额度只能是时长或电量中的一项', byMinutes ? 'kwh' : 'minutes')
  if (monthTimes !== undefined && monthTimes < dayTimes) throw invalid('每月次数不能少于每日次数', 'monthTimes')
  const chosen = reach === planReach.code.sites
  if (chosen && siteIds === undefined) throw invalid('请选择适用站点', 'siteIds')
  if (!chosen && siteIds !== undefined) throw invalid('适用全部站点时不能指定站点', 'siteIds')
  return {
    name,
    price_fen: price.toString(),
    days,
    use_minutes: byMinutes ? (minutes ?? null) : null,
    use_dwh: byMinutes ? null : Math.round((kwh ?? 0) * 10_000),
    day_times: dayTimes,
    month_times: monthTimes ?? null,
    site_ids: sites,
  }
}

const summaryOf = ({ name, price_fen, days, use_minutes, use_dwh }: store.Terms) =>
  `${name}，${yuanText(BigInt(price_fen))}元/${days}天，每次${quotaText({ useMinutes: use_minutes, useDwh: use_dwh })}`

const monthlyPlanHandlers: Handlers<typeof monthlyPlan> = {
  list: ({ db, scope, query }) => listQuery(db, scope, monthlyPlanList, store.planSource, query),

  add: async (ctx) => {
    const { db, actor, body } = ctx
    const { organiseId, agentId, siteId, ...content } = body
    const place = await chosenPlace(db, actor, { organiseId, agentId, siteId })
    const terms = await termsOf(ctx, place, content)
    const id = await store.addPlan(db, place, { remark: body.remark ?? null, by: actor.userName })
    await store.addVersion(db, { ...place, id }, terms, actor.userName)
    ctx.setAuditDetail(summaryOf(terms))
    await publishChange(ctx, place)
    return { id }
  },

  edit: async (ctx) => {
    const { db, actor, body } = ctx
    const { id, ...content } = body
    const plan = orNotFound(await store.findPlan(db, id))
    const terms = await termsOf(ctx, plan, content)
    await store.changeRemark(db, id, content.remark ?? null, actor.userName)
    const isNew = JSON.stringify(terms) !== JSON.stringify(await store.readTerms(db, id))
    if (isNew) await store.addVersion(db, plan, terms, actor.userName)
    ctx.setAuditDetail(summaryOf(terms))
    ctx.setMessage(isNew ? '已保存为新版本，已售出的包月不受影响' : '已保存')
    await publishChange(ctx, plan)
    return null
  },

  toggle: async (ctx) => {
    const { db, actor, body } = ctx
    const plan = orNotFound(await store.findPlan(db, body.id))
    if (!(await store.switchPlan(db, body.id, body.status, actor.userName)))
      throw conflict('包月方案状态已变更，请刷新后重试')
    ctx.setAuditDetail(enabledStatus.show(body.status).label)
    await publishChange(ctx, plan)
    return null
  },

  remove: async (ctx) => {
    const plan = orNotFound(await store.findPlan(ctx.db, ctx.body.id))
    if (!(await store.removePlan(ctx.db, plan.id))) throw conflict('已有会员购买过该方案，不能删除，可停用')
    await publishChange(ctx, plan)
    return null
  },

  versions: async ({ db, params }) => {
    if (!(await rowExists(db, 'monthly_plan', { id: params.id }))) throw notFound()
    const rows = await store.listVersions(db, params.id)
    return {
      rows: rows.map(({ priceFen, useMinutes, useDwh, dayTimes, monthTimes, siteNames, ...row }) => ({
        ...row,
        price: yuanText(BigInt(priceFen)),
        use: quotaText({ useMinutes, useDwh }),
        times: timesText({ dayTimes, monthTimes }),
        reach: reachText({ siteNames }),
      })),
    }
  },

  exportList: exportHandler(planExport),
}

export const monthlyPlanFeature = defineFeature(monthlyPlan, monthlyPlanHandlers, { exports: [planExport] })
