import { resource, resourceList } from '@wattdeck/contract/system/resource.ts'
import { listQuery } from '../../../kit/db/list-query.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import { conflict, notFound } from '../../../kit/http/refusal.ts'
import { assertHolds } from '../../../kit/auth/rights.ts'
import { assertPlatformAdmin } from '../_shared/platform-admin.ts'
import * as store from './resource.store.ts'

const resourceHandlers: Handlers<typeof resource> = {
  list: ({ db, scope, query }) => listQuery(db, scope, resourceList, store.resourceSource, query),

  add: async ({ db, actor, body }) => {
    assertPlatformAdmin(actor)
    if (!(await store.menuExists(db, body.menuId))) throw notFound()
    const id = await store.addResource(db, body)
    if (id === undefined) throw conflict('资源编码已存在')
    return { id }
  },

  edit: async ({ db, actor, body }) => {
    assertPlatformAdmin(actor)
    const current = await store.findResource(db, body.id)
    if (current === undefined) throw notFound()
    // Another action is another right for everybody who has the resource, the editor perhaps among them.
    if (body.action !== current.action)
      assertHolds(actor, { menuKeys: [], grants: [`${current.menu_key}:${body.action}`], unmask: false })
    await store.editResource(db, body)
    return null
  },

  toggle: async ({ db, actor, body }) => {
    assertPlatformAdmin(actor)
    if ((await store.findResource(db, body.id)) === undefined) throw notFound()
    const changed = await store.setResourceStatus(db, body.id, body.status)
    if (!changed) throw conflict('资源状态已变更，请刷新后重试')
    return null
  },

  remove: async ({ db, actor, body }) => {
    assertPlatformAdmin(actor)
    if (!(await store.removeResource(db, body.id))) throw notFound()
    return null
  },
}

export const resourceFeature = defineFeature(resource, resourceHandlers)
