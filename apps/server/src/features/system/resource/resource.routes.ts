import { resource, resourceList } from '@wattdeck/contract/system/resource.ts'
import { setStatus } from '../../../kit/http/set-status.ts'
import { listQuery } from '../../../kit/db/list-query.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import { conflict, notFound, orNotFound } from '../../../kit/http/refusal.ts'
import { assertHolds } from '../../../kit/auth/rights.ts'
import { assertPlatformAdmin } from '../_shared/platform-admin.ts'
import * as store from './resource.store.ts'
import { removeRow, rowExists, updateRow } from '../../../kit/db/rows.ts'

const resourceHandlers: Handlers<typeof resource> = {
  list: ({ db, scope, query }) => listQuery(db, scope, resourceList, store.resourceSource, query),

  add: async ({ db, actor, body }) => {
    assertPlatformAdmin(actor)
    if (!(await rowExists(db, 'menu', { id: body.menuId }))) throw notFound()
    const id = await store.addResource(db, body)
    if (id === undefined) throw conflict('资源编码已存在')
    return { id }
  },

  edit: async ({ db, actor, body }) => {
    assertPlatformAdmin(actor)
    const current = orNotFound(await store.findResource(db, body.id))
    // Another action changes the right of every user who has the resource, possibly of the editor.
    if (body.action !== current.action)
      assertHolds(actor, { menuKeys: [], grants: [`${current.menu_key}:${body.action}`], unmask: false })
    const { id, name, action, path, method } = body
    await updateRow(db, 'resource', id, { name, action, path, method })
    return null
  },

  toggle: async ({ db, actor, body }) => {
    assertPlatformAdmin(actor)
    orNotFound(await store.findResource(db, body.id))
    await setStatus(db, 'resource', body, '资源')
    return null
  },

  remove: async ({ db, actor, body }) => {
    assertPlatformAdmin(actor)
    if (!(await removeRow(db, 'resource', body.id))) throw notFound()
    return null
  },
}

export const resourceFeature = defineFeature(resource, resourceHandlers)
