import { enabledStatus } from '@wattdeck/contract/common.ts'
import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { site } from '@wattdeck/contract/system/site.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import { placeOf } from '../../../kit/auth/actor.ts'
import type { Db } from '../../../kit/db/db.ts'
import { startBatch } from '../../../kit/bulk/batch.ts'
import { fileType } from '../../../kit/bulk/exports.ts'
import { exportHandler } from '../../../kit/bulk/list-export.ts'
import { type Ctx, type Handlers, prepared } from '../../../kit/http/handlers.ts'
import type { Deps } from '../../../kit/http/http.ts'
import { receiveSheet, templateOf } from '../../../kit/bulk/imports.ts'
import { publishToOrganisation } from '../../../kit/events/outbox.ts'
import { conflict, invalid, notFound } from '../../../kit/http/refusal.ts'
import { swapPictures } from '../../../kit/files/stored-files.ts'
import { readSheet } from '../../../kit/bulk/sheets/read-sheet.ts'
import { chosenSites } from '../../_shared/chosen-sites.ts'
import { chosenPlace } from '../../_shared/place.store.ts'
import { requireRegion } from '../../_shared/region-path.store.ts'
import { editSites, toggleSites, transferSites } from './site.batch.ts'
import { importSites } from './site.import.ts'
import * as store from './site.store.ts'

const templateKey = 'template/site.xlsx'
type Fields = Omit<BodyOf<typeof site.add>, 'organiseId' | 'agentId'>

/** Columns from the form. An omitted field is emptied, or gets its default. */
async function columnsOf(db: Db, fields: Fields) {
  await requireRegion(db, fields)
  if ((fields.lng === undefined) !== (fields.lat === undefined)) throw invalid('请同时填写经度和纬度')
  return {
    ...(fields.code === undefined ? {} : { code: fields.code }),
    name: fields.name,
    type: fields.type,
    province_code: fields.provinceCode ?? null,
    city_code: fields.cityCode ?? null,
    district_code: fields.districtCode ?? null,
    address: fields.address ?? null,
    lng: fields.lng ?? null,
    lat: fields.lat ?? null,
    contact: fields.contact ?? null,
    parking_spaces: fields.parkingSpaces ?? 0,
    capacity_kva: fields.capacityKva ?? 0,
    parking_note: fields.parkingNote ?? null,
    open_hours: fields.openHours ?? '00:00-24:00',
    price_type: fields.priceType ?? 1,
    insured: fields.insured ?? false,
    insured_until: fields.insuredUntil ?? null,
    remark: fields.remark ?? null,
    // The console has the phone only masked, so an omitted one stays unchanged.
    ...(fields.phone === undefined ? {} : { phone: fields.phone }),
  }
}

/** Refreshes open lists of sites. Events are stored at the caller's place, as row-level security requires. */
const publishChange = ({ db, actor }: Pick<Ctx<never>, 'db' | 'actor'>, organise_id: string) =>
  publishToOrganisation(db, { ...placeOf(actor), organise_id }, { kind: 'changed', list: 'site' })

async function requireSite({ db }: Pick<Ctx<never>, 'db' | 'scope'>, id: string) {
  const row = await store.findSite(db, id)
  if (row === undefined) throw notFound()
  return row
}

const siteHandlers = ({ files }: Deps): Handlers<typeof site> => ({
  list: ({ db, scope, query }) => store.listSites(db, scope, query),
  totals: ({ db, scope, query }) => store.siteTotals(db, scope, query),

  add: async (ctx) => {
    const { db, actor, body } = ctx
    const { organiseId, agentId, ...fields } = body
    const place = await chosenPlace(db, actor, { organiseId, agentId })
    const columns = await columnsOf(db, fields)
    const { organise_id, agent_id } = place
    const picture_ids = fields.pictureIds ?? []
    await swapPictures(db, actor, [], picture_ids, place)
    const values = { ...columns, picture_ids, organise_id, agent_id, created_by: actor.userName }
    const id = await store.addSite(db, values)
    await publishChange(ctx, organise_id)
    return { id }
  },

  edit: async (ctx) => {
    const { db, scope, actor, body } = ctx
    const { id, agentId, ...fields } = body
    const before = await requireSite(ctx, id)
    const place = agentId === undefined ? undefined : await chosenPlace(db, actor, { agentId })
    if (place !== undefined && place.organise_id !== before.organise_id) throw notFound()
    // Only a user who sees the whole organisation may remove a site from its agent.
    const agent = place?.agent_id ?? (scope.level >= 2 ? before.agent_id : null)
    const picture_ids = fields.pictureIds ?? []
    const { organise_id } = before
    await swapPictures(db, actor, before.picture_ids, picture_ids, { organise_id, agent_id: agent, site_id: id })
    await store.changeSite(db, id, { ...(await columnsOf(db, fields)), picture_ids })
    if (agent !== before.agent_id) await store.moveSite(db, id, agent)
    await publishChange(ctx, before.organise_id)
    return null
  },

  toggle: async (ctx) => {
    const { db, body } = ctx
    const sites = []
    for (const id of body.ids) sites.push(await requireSite(ctx, id))
    const count = await store.setStatus(db, body.ids, body.status)
    for (const organiseId of new Set(sites.map((one) => one.organise_id))) await publishChange(ctx, organiseId)
    return { changed: count }
  },

  remove: async (ctx) => {
    const { db, body } = ctx
    for (const id of body.ids) {
      const { name, organise_id } = await requireSite(ctx, id)
      if (await store.hasAccounts(db, id)) throw conflict(`站点「${name}」下还有账号，不能删除`)
      if (await store.hasDevices(db, id)) throw conflict(`站点「${name}」下还有设备，不能删除`)
      await store.removeSite(db, id)
      await publishChange(ctx, organise_id)
    }
    return { changed: body.ids.length }
  },

  batchToggle: (ctx) => {
    const title = `批量${enabledStatus.show(ctx.body.status).label}站点`
    const params = { status: ctx.body.status }
    return startBatch(ctx, toggleSites, { title, params, ...chosenSites(ctx.db, ctx.scope, ctx.body) })
  },

  batchTransfer: async (ctx) => {
    const { db, scope, actor, body } = ctx
    await chosenPlace(db, actor, { agentId: body.agentId })
    const params = { agentId: body.agentId }
    return startBatch(ctx, transferSites, { title: '批量转移站点', params, ...chosenSites(db, scope, body) })
  },

  batchEdit: async (ctx) => {
    const { ids, filter, ...params } = ctx.body
    if (Object.keys(params).length === 0) throw invalid('请填写要修改的内容')
    return startBatch(ctx, editSites, {
      title: '批量修改站点',
      params,
      ...chosenSites(ctx.db, ctx.scope, { ids, filter }),
    })
  },

  exportList: exportHandler(store.siteExport),

  importSheet: prepared({
    prepare: async ({ file }) => {
      if (file === undefined) throw invalid('请选择文件')
      return readSheet(file.bytes)
    },
    handle: (ctx, sheet) => receiveSheet(ctx, importSites, '导入站点', sheet),
  }),

  importTemplate: prepared({
    prepare: async () => files.put(templateKey, await templateOf(importSites), fileType.xlsx),
    handle: async () => ({ key: templateKey, name: '站点导入模板.xlsx', type: fileType.xlsx }),
  }),
})

export const siteFeature = defineFeature(site, siteHandlers, {
  exports: [store.siteExport],
  batchKinds: [toggleSites, transferSites, editSites, importSites],
})
