import { enabledStatus } from '@wattdeck/contract/common.ts'
import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { z } from 'zod'
import { batchKind, type BatchCtx, type BatchTarget } from '../../../kit/bulk/batch-kind.ts'
import { conflict, notFound } from '../../../kit/http/refusal.ts'
import { chosenPlace } from '../../_shared/place.store.ts'
import * as store from './site.store.ts'

const common = { module: '站点管理', access: { menu: menuKey.site, action: 'edit' }, list: 'site' } as const

/** The site of an item. It may have been removed or moved to another owner since it was chosen. */
async function siteOf({ db }: BatchCtx, { target_id: id }: BatchTarget) {
  const site = id === null ? undefined : await store.findSite(db, id)
  if (site === undefined) throw notFound()
  return site
}

export const toggleSites = batchKind({
  ...common,
  kind: 'site.toggle',
  params: z.strictObject({ status: enabledStatus.schema }),
  apply: async (ctx, { status }, target) => {
    const site = await siteOf(ctx, target)
    await store.setStatus(ctx.db, [site.id], status)
  },
})

export const transferSites = batchKind({
  ...common,
  kind: 'site.transfer',
  params: z.strictObject({ agentId: z.string() }),
  apply: async (ctx, { agentId }, target) => {
    const { db, actor } = ctx
    const site = await siteOf(ctx, target)
    const place = await chosenPlace(db, actor, { agentId })
    if (place.organise_id !== site.organise_id) throw conflict('目标代理商与站点不属于同一机构')
    await store.moveSite(db, site.id, agentId)
  },
})

export const editSites = batchKind({
  ...common,
  kind: 'site.edit',
  params: z.strictObject({
    openHours: z.string().optional(),
    priceType: z.int().optional(),
    parkingNote: z.string().optional(),
  }),
  apply: async (ctx, { openHours, priceType, parkingNote }, target) => {
    const site = await siteOf(ctx, target)
    await store.changeSite(ctx.db, site.id, {
      ...(openHours === undefined ? {} : { open_hours: openHours }),
      ...(priceType === undefined ? {} : { price_type: priceType }),
      ...(parkingNote === undefined ? {} : { parking_note: parkingNote }),
    })
  },
})
