import { enabledStatus } from '@wattdeck/contract/common.ts'
import {
  consumptionStandard,
  type StandardDetail,
  versionState,
} from '@wattdeck/contract/product/consumption-standard.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import { placeOf } from '../../../kit/auth/actor.ts'
import { startBatch } from '../../../kit/bulk/batch.ts'
import type { Db } from '../../../kit/db/db.ts'
import { exportHandler } from '../../../kit/bulk/list-export.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import { publishToOrganisation } from '../../../kit/events/outbox.ts'
import { conflict, invalid, orNotFound } from '../../../kit/http/refusal.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { chosenSites } from '../../_shared/chosen-sites.ts'
import { chosenPlace } from '../../_shared/place.store.ts'
import { targetsOf } from '../_shared/chosen-devices.ts'
import { bindableTariff, misfitOf } from '../_shared/tariff-fit.ts'
import { bindDevices, bindSites } from './consumption-standard.batch.ts'
import { standardExport } from './consumption-standard.export.ts'
import { checkedRules } from './consumption-standard.rules.ts'
import * as store from './consumption-standard.store.ts'
import { findTariff, readTariff, type Tariff } from '../../../core/tariffs/tariff.store.ts'
import * as versions from '../../../core/tariffs/tariff-version.store.ts'

type Some = Pick<Ctx<never>, 'db' | 'scope' | 'actor'>
const publishChange = ({ db, actor }: Some, organise_id: string) =>
  publishToOrganisation(db, { ...placeOf(actor), organise_id }, { kind: 'changed', list: 'consumptionStandard' })

const requireTariff = async ({ db }: Some, id: string) => orNotFound(await findTariff(db, id))

/** Protocols that the rules must support: those of the named models, and of the devices that charge by the tariff. */
async function adaptersFor(db: Db, typeIds: readonly string[], tariffId?: string): Promise<string[]> {
  const types = await store.listTypes(db)
  const named = types.filter(({ id }) => typeIds.includes(id))
  if (named.length < new Set(typeIds).size) throw invalid('设备型号不存在', 'deviceTypeIds')
  const bound = tariffId === undefined ? [] : await store.adaptersOf(db, tariffId)
  return [...named.map(({ adapter }) => adapter), ...bound]
}

const mayChange = (scope: Scope, { agent_id, site_id }: Tariff) =>
  scope.level < 2 ||
  (scope.level === 2 && agent_id !== null && scope.agentIds.includes(agent_id)) ||
  (scope.level === 3 && site_id !== null && scope.siteIds.includes(site_id))

async function detail({ db, scope }: Some, id: string): Promise<StandardDetail> {
  const tariff = orNotFound(await readTariff(db, id))
  const open = await versions.openVersions(db, id)
  const at = (state: number) => open.find((version) => version.state === state)
  const { code } = versionState
  const [active, next, draft] = [at(code.inForce), at(code.scheduled), at(code.draft)]
  return {
    id,
    name: tariff.name,
    billingType: tariff.billing_type as StandardDetail['billingType'],
    deviceTypeIds: tariff.device_type_ids,
    organiseId: tariff.organise_id,
    status: tariff.status as StandardDetail['status'],
    own: mayChange(scope, tariff),
    adapters: await store.adaptersOf(db, id),
    inForce: active === undefined ? null : versions.asSheet(active),
    scheduled: next === undefined ? null : { ...versions.asSheet(next), effectiveAt: next.effectiveAt },
    draft: draft === undefined ? null : versions.asSheet(draft),
  }
}

/** Days. A version is not scheduled further ahead, because operators would forget it. */
const farthestDays = 366

const laterThanNow = (at: string): boolean => {
  const ms = Date.parse(`${at.replace(' ', 'T')}:00+08:00`) - Date.now()
  if (ms > farthestDays * 86_400_000) throw invalid('生效时间不能晚于一年后', 'effectiveAt')
  return ms > 0
}

const consumptionStandardHandlers: Handlers<typeof consumptionStandard> = {
  list: ({ db, scope, query }) => store.listTariffs(db, scope, query),
  read: (ctx) => detail(ctx, ctx.params.id),
  versions: async ({ db, params, query }) => {
    orNotFound(await readTariff(db, params.id))
    return versions.listVersions(db, params.id, query)
  },
  deviceTypes: ({ db }) => store.listTypes(db),
  options: ({ db, scope, query }) => store.listOptions(db, scope, query),

  add: async (ctx) => {
    const { db, actor, body } = ctx
    const { name, deviceTypeIds, rules: sheet, organiseId, agentId, siteId } = body
    const place = await chosenPlace(db, actor, { organiseId, agentId, siteId })
    const rules = checkedRules(sheet, await adaptersFor(db, deviceTypeIds))
    const values = { name, billing_type: rules.billingType, device_type_ids: deviceTypeIds }
    const id = await store.addTariff(db, { ...values, ...place, created_by: actor.userName })
    await versions.writeDraft(db, await requireTariff(ctx, id), rules, actor.userName)
    await publishChange(ctx, place.organise_id)
    return { id }
  },

  edit: async (ctx) => {
    const { db, actor, body } = ctx
    const { id, name, deviceTypeIds, rules: sheet } = body
    const tariff = await requireTariff(ctx, id)
    if (tariff.versions > 0 && sheet.billingType !== tariff.billing_type)
      throw invalid('已发布过的消费标准不能更改计费类型', 'rules.billingType')
    const rules = checkedRules(sheet, await adaptersFor(db, deviceTypeIds, id))
    await store.changeTariff(db, id, { name, billing_type: rules.billingType, device_type_ids: deviceTypeIds })
    const isNew = await versions.writeDraft(db, tariff, rules, actor.userName)
    ctx.setMessage(isNew ? '已保存为草稿，发布后生效' : '保存成功')
    await publishChange(ctx, tariff.organise_id)
    return null
  },

  copy: async (ctx) => {
    const { db, actor, body } = ctx
    const tariff = orNotFound(await readTariff(db, body.id))
    const open = await versions.openVersions(db, tariff.id)
    const source = open.toSorted((one, other) => other.state - one.state)[0]
    if (source === undefined) throw conflict('该消费标准没有可复制的内容')
    const place =
      tariff.organise_id === actor.organiseId ? placeOf(actor) : { ...noPlace, organise_id: tariff.organise_id }
    const id = await store.addTariff(db, {
      ...place,
      name: body.name,
      billing_type: tariff.billing_type,
      device_type_ids: tariff.device_type_ids,
      created_by: actor.userName,
    })
    await versions.writeDraft(db, await requireTariff(ctx, id), source.rules, actor.userName)
    await publishChange(ctx, place.organise_id)
    return { id }
  },

  toggle: async (ctx) => {
    const { db, body } = ctx
    let changed = 0
    for (const id of body.ids) {
      const tariff = await requireTariff(ctx, id)
      if (tariff.status === body.status) continue
      if (body.status === enabledStatus.code.disabled) await refuseBound(ctx, tariff, '停用')
      await store.changeTariff(db, id, { status: body.status })
      await publishChange(ctx, tariff.organise_id)
      changed++
    }
    return { changed }
  },

  remove: async (ctx) => {
    for (const id of ctx.body.ids) {
      const tariff = await requireTariff(ctx, id)
      await refuseBound(ctx, tariff, '删除')
      await store.removeTariff(ctx.db, id)
      await publishChange(ctx, tariff.organise_id)
    }
    return { changed: ctx.body.ids.length }
  },

  discard: async (ctx) => {
    const tariff = await requireTariff(ctx, ctx.body.id)
    if (tariff.version_id === null) throw conflict('从未发布过的消费标准请直接删除')
    if (!(await versions.dropDraft(ctx.db, tariff.id, ctx.body.versionId))) throw conflict(draftConflict)
    await publishChange(ctx, tariff.organise_id)
    return null
  },

  publish: async (ctx) => {
    const { db, actor, body } = ctx
    const tariff = await requireTariff(ctx, body.id)
    const version = await versions.readVersion(db, tariff.id, body.versionId)
    if (version === undefined) throw conflict(draftConflict)
    const misfit = misfitOf(version.rules, await adaptersFor(db, tariff.device_type_ids, tariff.id))
    if (misfit !== undefined) throw conflict(`已绑定的设备不支持：${misfit}`)
    ctx.setAuditDetail(
      `「${tariff.name}」第${version.no}版，${body.effectiveAt === undefined ? '立即生效' : `${body.effectiveAt}生效`}`,
    )
    if (body.effectiveAt !== undefined) {
      if (!laterThanNow(body.effectiveAt)) throw invalid('生效时间须晚于现在', 'effectiveAt')
      if (!(await versions.schedule(db, tariff.id, body.versionId, `${body.effectiveAt}:00+08`, actor.userName)))
        throw conflict(draftConflict)
    } else if (!(await versions.putInForce(db, tariff.id, body.versionId, actor.userName)))
      throw conflict('该版本已生效或已撤销，请刷新后重试')
    await publishChange(ctx, tariff.organise_id)
    return null
  },

  withdraw: async (ctx) => {
    const tariff = await requireTariff(ctx, ctx.body.id)
    if (!(await versions.withdraw(ctx.db, tariff.id, ctx.body.versionId)))
      throw conflict('该版本不是待生效状态，不能撤销')
    ctx.setAuditDetail(`「${tariff.name}」`)
    await publishChange(ctx, tariff.organise_id)
    return null
  },

  bindDevices: async (ctx) => {
    const { db, scope, body } = ctx
    const { ids, filter, tariffId } = body
    const tariff = tariffId === undefined ? undefined : await bindableTariff(db, tariffId)
    const title = tariff === undefined ? '清除设备的消费标准' : `设置消费标准「${tariff.name}」`
    return startBatch(ctx, bindDevices, { title, params: { tariffId }, ...targetsOf(db, scope, { ids, filter }) })
  },

  bindSites: async (ctx) => {
    const { db, scope, body } = ctx
    const { ids, filter, tariffId } = body
    const tariff = tariffId === undefined ? undefined : await bindableTariff(db, tariffId)
    const title = tariff === undefined ? '清除站点的消费标准' : `站点改用消费标准「${tariff.name}」`
    return startBatch(ctx, bindSites, { title, params: { tariffId }, ...chosenSites(db, scope, { ids, filter }) })
  },

  exportList: exportHandler(standardExport),
}

const noPlace = { agent_id: null, site_id: null }
const draftConflict = '草稿已被修改或发布，请刷新后重试'

async function refuseBound({ db }: Some, tariff: Tariff, what: string): Promise<void> {
  const { devices, sites } = await store.countBound(db, tariff.id)
  if (devices + sites > 0)
    throw conflict(`消费标准「${tariff.name}」仍有${devices}台设备、${sites}个站点使用，不能${what}`)
}

export const consumptionStandardFeature = defineFeature(consumptionStandard, consumptionStandardHandlers, {
  exports: [standardExport],
  batchKinds: [bindDevices, bindSites],
})
