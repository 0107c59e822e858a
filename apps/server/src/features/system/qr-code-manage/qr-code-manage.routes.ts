import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import {
  maxCodes,
  qrBatchList,
  qrCodeKind,
  qrCodeList,
  qrCodeManage,
  qrCodeType,
  qrSuspicionList,
} from '@wattdeck/contract/system/qr-code-manage.ts'
import { listQuery } from '../../../kit/db/list-query.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import { placeOf } from '../../../kit/auth/actor.ts'
import { requestExport } from '../../../kit/bulk/exports.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import { publishToOrganisation } from '../../../kit/events/outbox.ts'
import { conflict, invalid, notFound } from '../../../kit/http/refusal.ts'
import { chosenPlace } from '../../_shared/place.store.ts'
import { packCodes } from './qr-code-manage.export.ts'
import * as store from './qr-code-manage.store.ts'
import * as suspicions from './qr-code-manage.suspicion.ts'

const words = ({ options }: { options: readonly { value: number; label: string }[] }) =>
  options.map(({ value, label }) => ({ code: value, label }))

type Some = Pick<Ctx<never>, 'db' | 'scope' | 'actor'>
/** Refreshes open lists. Events are stored at the caller's place, as row-level security requires. */
const publishChange = ({ db, actor }: Some, organise_id: string) =>
  publishToOrganisation(db, { ...placeOf(actor), organise_id }, { kind: 'changed', list: 'qrCode' })

/** Marks all codes or none: another user may have used one meanwhile. */
async function useAll(ctx: Ctx<(typeof qrCodeManage)['use']>, kind?: number): Promise<{ changed: number }> {
  const { db, actor, body } = ctx
  const requestedCount = new Set(body.ids).size
  if ((await store.countCodes(db, body.ids, kind)) < requestedCount) throw notFound()
  const changed = await store.markUsed(db, body.ids, actor.userName)
  if (changed < requestedCount) throw conflict('所选二维码中有已使用的，请刷新后重试')
  for (const organiseId of await store.organisesOf(db, body.ids)) await publishChange(ctx, organiseId)
  return { changed }
}

/** A used code may already be on a device, so binding it again needs a reason. */
async function bind(ctx: Ctx<(typeof qrCodeManage)['bind']>): Promise<{ bound: number }> {
  const { db, actor, body } = ctx
  const code = await store.findCode(db, body.id)
  if (code === undefined) throw notFound()
  const device = await store.deviceByNumber(db, body.deviceNo)
  if (device === undefined) throw invalid('设备不存在', 'deviceNo')
  if (code.device_id === device.id) throw conflict('该二维码已绑定此设备')
  if (store.isUsed(code) && body.reason === undefined) throw invalid('该二维码已使用过，请填写重新绑定的原因', 'reason')
  if ((code.port_no ?? 0) > device.port_count) throw invalid(`设备没有${code.port_no}号端口`, 'deviceNo')
  ctx.setAuditDetail([code.code_no, device.device_no, body.reason].filter((part) => part !== undefined).join('，'))
  const bound = await store.bindCodes(db, code, device, actor.userName)
  for (const organiseId of new Set([code.organise_id, device.organise_id])) await publishChange(ctx, organiseId)
  return { bound }
}

const listCodes = ({ db, scope }: Some, query: QueryOf<typeof qrCodeManage.list>) =>
  listQuery(db, scope, qrCodeList, store.codeSource, query)

const qrCodeManageHandlers: Handlers<typeof qrCodeManage> = {
  types: () => Promise.resolve({ types: words(qrCodeType), kinds: words(qrCodeKind) }),
  list: (ctx) => listCodes(ctx, ctx.query),
  miniAppList: (ctx) => listCodes(ctx, { ...ctx.query, kind: qrCodeKind.code.miniApp }),
  mainBoardList: (ctx) => listCodes(ctx, { ...ctx.query, kind: qrCodeKind.code.mainBoard }),
  namePlateList: (ctx) => listCodes(ctx, { ...ctx.query, kind: qrCodeKind.code.namePlate }),
  unifiedPileList: (ctx) => listCodes(ctx, { ...ctx.query, kind: qrCodeKind.code.unifiedPile }),
  batches: ({ db, scope, query }) => listQuery(db, scope, qrBatchList, store.batchSource, query),
  suspicions: ({ db, scope, query }) => listQuery(db, scope, qrSuspicionList, suspicions.suspicionSource, query),

  use: (ctx) => useAll(ctx),
  miniAppUse: (ctx) => useAll(ctx, qrCodeKind.code.miniApp),

  generate: async (ctx) => {
    const { db, actor, body } = ctx
    const { kind, units, ports = 0, prefix = '', ...owner } = body
    if (units * Math.max(ports, 1) > maxCodes) throw invalid(`一次最多生成${maxCodes}个二维码`, 'units')
    const place = await chosenPlace(db, actor, owner)
    const batch = await store.addBatch(db, { place, kind, units, ports, prefix }, actor)
    await ctx.enqueue('qrCode.generate', { batchId: batch.id })
    ctx.setAuditDetail(`${batch.batchNo}，${units * Math.max(ports, 1)}个`)
    ctx.setMessage('生成任务已提交')
    return batch
  },

  bind,

  unbind: async (ctx) => {
    const { db, body } = ctx
    const requestedCount = new Set(body.ids).size
    if ((await store.countCodes(db, body.ids)) < requestedCount) throw notFound()
    const changed = await store.unbindCodes(db, body.ids)
    if (changed < requestedCount) throw conflict('所选二维码中有未绑定的，请刷新后重试')
    ctx.setAuditDetail(body.reason)
    for (const organiseId of await store.organisesOf(db, body.ids)) await publishChange(ctx, organiseId)
    return { changed }
  },

  pack: async (ctx) => {
    ctx.setAuditDetail(ctx.body.conditions ?? '全部')
    ctx.setMessage('打包任务已提交，请前往「下载管理」查看')
    return requestExport(ctx, packCodes, ctx.body)
  },

  judge: async (ctx) => {
    const { db, actor, body } = ctx
    const suspicion = await suspicions.findSuspicion(db, body.id)
    if (suspicion === undefined) throw notFound()
    const verdict = { confirmed: body.confirmed, by: actor.userName, remark: body.remark ?? null }
    if (!(await suspicions.judge(db, body.id, verdict))) throw conflict('该记录已核实')
    return null
  },
}

export const qrCodeManageFeature = defineFeature(qrCodeManage, qrCodeManageHandlers, { exports: [packCodes] })
