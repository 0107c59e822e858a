import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { areaList, cornersOf, operationArea } from '@wattdeck/contract/system/operation-area.ts'
import { listQuery } from '../../../kit/db/list-query.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import { publishToOrganisation } from '../../../kit/events/outbox.ts'
import { forbidden, notFound } from '../../../kit/http/refusal.ts'
import { chosenPlace, type Place } from '../../_shared/place.store.ts'
import { requireRegion } from '../../_shared/region-path.store.ts'
import * as members from './area-members.store.ts'
import * as store from './operation-area.store.ts'

type Asking = Pick<Ctx<never>, 'db' | 'scope'>

/** Columns from the form. An omitted field is emptied, except the phone, which the form has only masked. */
async function columnsOf({ db }: Asking, fields: Omit<BodyOf<typeof operationArea.edit>, 'id'>) {
  await requireRegion(db, fields)
  return {
    name: fields.name,
    province_code: fields.provinceCode ?? null,
    city_code: fields.cityCode ?? null,
    district_code: fields.districtCode ?? null,
    leader: fields.leader ?? null,
    remark: fields.remark ?? null,
    ...(fields.phone === undefined ? {} : { phone: fields.phone }),
  }
}

async function read({ db }: Asking, id: string) {
  const area = await store.readArea(db, id)
  if (area === undefined) throw notFound()
  return area
}

async function locked({ db }: Asking, id: string) {
  const area = await store.findArea(db, id)
  if (area === undefined) throw notFound()
  return area
}

const publishChange = ({ db }: Asking, { organise_id, agent_id, site_id }: Place) =>
  publishToOrganisation(db, { organise_id, agent_id, site_id }, { kind: 'changed', list: 'operationArea' })

const operationAreaHandlers: Handlers<typeof operationArea> = {
  list: ({ db, scope, query }) => listQuery(db, scope, areaList, store.areaSource, query),

  add: async (ctx) => {
    const { db, actor, body } = ctx
    const { organiseId, agentId, ...fields } = body
    const place = await chosenPlace(db, actor, { organiseId, agentId })
    // A site belongs to areas and never owns one.
    if (place.site_id !== null) throw forbidden()
    const columns = await columnsOf(ctx, fields)
    const id = await store.addArea(db, { ...columns, ...place, created_by: actor.userName })
    await publishChange(ctx, place)
    return { id }
  },

  edit: async (ctx) => {
    const { id, ...fields } = ctx.body
    const area = await locked(ctx, id)
    await store.changeArea(ctx.db, id, await columnsOf(ctx, fields))
    await publishChange(ctx, area)
    return null
  },

  toggle: async (ctx) => {
    const { id, status } = ctx.body
    const area = await locked(ctx, id)
    await store.setStatus(ctx.db, id, status)
    await publishChange(ctx, area)
    return null
  },

  remove: async (ctx) => {
    const area = await locked(ctx, ctx.body.id)
    await store.removeArea(ctx.db, ctx.body.id)
    await publishChange(ctx, area)
    return null
  },

  assigned: async (ctx) => {
    const { polygon } = await read(ctx, ctx.params.id)
    return { ...(await members.assignedTo(ctx.db, ctx.params.id)), polygon }
  },

  sites: async (ctx) => members.listSites(ctx.db, await read(ctx, ctx.params.id), ctx.query),
  points: async (ctx) => members.sitePoints(ctx.db, await read(ctx, ctx.params.id)),
  users: async (ctx) => members.listPeople(ctx.db, ctx.scope, await read(ctx, ctx.params.id), ctx.query),

  assignSites: async (ctx) => {
    const { db, body } = ctx
    const area = await locked(ctx, body.id)
    const ids = [...new Set(body.siteIds)]
    if ((await members.countSites(db, area, ids)) !== ids.length) throw notFound()
    await members.setSites(db, area, ids)
    await store.setPolygon(db, body.id, body.polygon === undefined ? [] : cornersOf(body.polygon))
    await publishChange(ctx, area)
    return null
  },

  assignUsers: async (ctx) => {
    const { db, scope, body } = ctx
    const area = await locked(ctx, body.id)
    const ids = [...new Set(body.userIds)]
    if ((await members.countPeople(db, scope, area, ids)) !== ids.length) throw notFound()
    await members.setPeople(db, area, ids)
    await publishChange(ctx, area)
    return null
  },
}

export const operationAreaFeature = defineFeature(operationArea, operationAreaHandlers)
