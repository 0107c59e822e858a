import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { helpDocument } from '@wattdeck/contract/system/help-document.ts'
import { setStatus } from '../../../kit/http/set-status.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import { type Actor, placeOf } from '../../../kit/auth/actor.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import { conflict, notFound, orNotFound } from '../../../kit/http/refusal.ts'
import { assertPlatformAdmin, isPlatformAdmin } from '../_shared/platform-admin.ts'
import * as store from './help-document.store.ts'
import { movedByOne, orderRows } from '../../../kit/db/rows.ts'

const mayEdit = (actor: Actor) => isPlatformAdmin(actor) && actor.grants.includes(`${menuKey.helpDocument}:edit`)

const helpDocumentHandlers: Handlers<typeof helpDocument> = {
  list: ({ db, actor, query }) => store.listDocuments(db, { ...query, mayEdit: mayEdit(actor) }),

  detail: async ({ db, actor, params }) => {
    const reader = { userId: actor.userId, mayEdit: mayEdit(actor) }
    return orNotFound(await store.readDocument(db, params.id, reader))
  },

  feedback: async ({ db, actor, body, setMessage }) => {
    if (!(await store.isPublished(db, body.id))) throw notFound()
    const { id: documentId, helpful } = body
    await store.saveOpinion(db, { place: placeOf(actor), documentId, userId: actor.userId, helpful })
    setMessage('感谢您的反馈')
    return null
  },

  add: async ({ db, actor, body }) => {
    assertPlatformAdmin(actor)
    return { id: await store.addDocument(db, { ...body, createdBy: actor.userName }) }
  },

  edit: async ({ db, actor, body }) => {
    assertPlatformAdmin(actor)
    orNotFound(await store.findDocument(db, body.id))
    await store.editDocument(db, body)
    return null
  },

  toggle: async ({ db, actor, body }) => {
    assertPlatformAdmin(actor)
    orNotFound(await store.findDocument(db, body.id))
    await setStatus(db, 'help_document', body, '文档')
    return null
  },

  move: async ({ db, actor, body }) => {
    assertPlatformAdmin(actor)
    const document = orNotFound(await store.findDocument(db, body.id))
    const ids = await store.idsOfType(db, document.type)
    const moved = movedByOne(ids, body)
    if (moved === undefined) throw conflict(body.direction === 'up' ? '已经是第一篇文档' : '已经是最后一篇文档')
    await orderRows(db, 'help_document', moved)
    return null
  },

  remove: async ({ db, actor, body }) => {
    assertPlatformAdmin(actor)
    if (!(await store.removeDocument(db, body.id))) throw notFound()
    return null
  },
}

export const helpDocumentFeature = defineFeature(helpDocument, helpDocumentHandlers)
