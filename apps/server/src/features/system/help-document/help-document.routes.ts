import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { helpDocument } from '@wattdeck/contract/system/help-document.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import { type Actor, placeOf } from '../../../kit/auth/actor.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import { conflict, notFound } from '../../../kit/http/refusal.ts'
import { assertPlatformAdmin, isPlatformAdmin } from '../_shared/platform-admin.ts'
import * as store from './help-document.store.ts'

const mayEdit = (actor: Actor) => isPlatformAdmin(actor) && actor.grants.includes(`${menuKey.helpDocument}:edit`)

const helpDocumentHandlers: Handlers<typeof helpDocument> = {
  list: ({ db, actor, query }) => store.listDocuments(db, { ...query, mayEdit: mayEdit(actor) }),

  detail: async ({ db, actor, params }) => {
    const reader = { userId: actor.userId, mayEdit: mayEdit(actor) }
    const found = await store.readDocument(db, params.id, reader)
    if (found === undefined) throw notFound()
    return found
  },

  feedback: async ({ db, actor, body, setMessage }) => {
    if (!(await store.isPublished(db, body.id))) throw notFound()
    const { id: documentId, helpful } = body
    await store.keepOpinion(db, { place: placeOf(actor), documentId, userId: actor.userId, helpful })
    setMessage('感谢您的反馈')
    return null
  },

  add: async ({ db, actor, body }) => {
    assertPlatformAdmin(actor)
    return { id: await store.addDocument(db, { ...body, createdBy: actor.userName }) }
  },

  edit: async ({ db, actor, body }) => {
    assertPlatformAdmin(actor)
    if ((await store.findDocument(db, body.id)) === undefined) throw notFound()
    await store.editDocument(db, body)
    return null
  },

  toggle: async ({ db, actor, body }) => {
    assertPlatformAdmin(actor)
    if ((await store.findDocument(db, body.id)) === undefined) throw notFound()
    const changed = await store.setDocumentStatus(db, body.id, body.status)
    if (!changed) throw conflict('文档状态已变更，请刷新后重试')
    return null
  },

  move: async ({ db, actor, body }) => {
    assertPlatformAdmin(actor)
    const document = await store.findDocument(db, body.id)
    if (document === undefined) throw notFound()
    const ids = await store.idsOfType(db, document.type)
    const from = ids.indexOf(body.id)
    const to = body.direction === 'up' ? from - 1 : from + 1
    const other = ids[to]
    if (other === undefined) throw conflict(body.direction === 'up' ? '已经是第一篇文档' : '已经是最后一篇文档')
    await store.orderDocuments(db, ids.with(from, other).with(to, body.id))
    return null
  },

  remove: async ({ db, actor, body }) => {
    assertPlatformAdmin(actor)
    if (!(await store.removeDocument(db, body.id))) throw notFound()
    return null
  },
}

export const helpDocumentFeature = defineFeature(helpDocument, helpDocumentHandlers)
