import { savedView, viewsMax } from '@wattdeck/contract/auth/saved-view.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import { type Actor, placeOf } from '../../../kit/auth/actor.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import { conflict, forbidden, notFound } from '../../../kit/http/refusal.ts'
import * as rules from './saved-view.rules.ts'
import * as store from './saved-view.store.ts'

/** The caller's own view; a view of another person is reported as not found. */
async function ownView({ db, actor }: Pick<Ctx<never>, 'db' | 'scope' | 'actor'>, id: string) {
  const view = await store.findView(db, id)
  if (view?.user_id !== actor.userId) throw notFound()
  return view
}

const isNear = (view: NonNullable<Awaited<ReturnType<typeof store.findView>>>, actor: Actor) =>
  view.organise_id === actor.organiseId && view.agent_id === actor.agentId && view.site_id === actor.siteId

const savedViewHandlers: Handlers<typeof savedView> = {
  list: async ({ db, actor, query: { listKey } }) => {
    const found = await store.listViews(db, { userId: actor.userId, listKey }, placeOf(actor))
    const views = found.map(({ user_id, is_default, created_by, ...view }) => {
      const own = user_id === actor.userId
      const mayRemove = own || rules.mayClear(actor)
      return { ...view, own, isDefault: own && is_default, maker: created_by, mayRemove }
    })
    return { views, mayShare: rules.mayShare(actor) }
  },

  save: async ({ db, actor, body }) => {
    const { listKey, name, shared = false } = body
    const whose = { userId: actor.userId, listKey }
    const query = rules.normaliseQuery(actor, listKey, body.query)
    rules.assertName(name)
    if (shared && !rules.mayShare(actor)) throw forbidden()
    const { count, last } = await store.countOwn(db, whose)
    if (count >= viewsMax) throw conflict(`每个列表最多保存${viewsMax}个视图`)
    const draft = { ...whose, place: placeOf(actor), name, query, shared, sort: last + 1, createdBy: actor.userName }
    const id = await store.addView(db, draft)
    if (id === undefined) throw conflict('视图名称已存在')
    if (body.isDefault === true) await store.setDefault(db, whose, id, true)
    return { id }
  },

  edit: async (ctx) => {
    const { db, actor, body } = ctx
    const view = await ownView(ctx, body.id)
    const whose = { userId: actor.userId, listKey: view.list_key }
    const { name, shared, isDefault } = body
    const query = body.query === undefined ? undefined : rules.normaliseQuery(actor, view.list_key, body.query)
    if (name !== undefined) rules.assertName(name)
    if (shared === true && !rules.mayShare(actor)) throw forbidden()
    if (name !== undefined && (await store.isNameTaken(db, whose, name, view.id))) throw conflict('视图名称已存在')
    await store.editView(db, view.id, { name, query, shared })
    if (isDefault !== undefined) await store.setDefault(db, whose, view.id, isDefault)
    return null
  },

  order: async ({ db, actor, body: { listKey, ids } }) => {
    if (!(await store.orderViews(db, { userId: actor.userId, listKey }, ids))) throw notFound()
    return null
  },

  remove: async ({ db, actor, body }) => {
    const view = await store.findView(db, body.id)
    const own = view?.user_id === actor.userId
    if (view === undefined || (!own && !view.shared)) throw notFound()
    if (!own && !rules.mayClear(actor)) throw isNear(view, actor) ? forbidden() : notFound()
    await store.removeView(db, body.id)
    return null
  },
}

export const savedViewFeature = defineFeature(savedView, savedViewHandlers)
