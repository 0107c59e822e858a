import { baseService, expiryPolicy } from '@wattdeck/contract/system/base-service.ts'
import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { serviceStopsOn, shanghaiDay } from '@wattdeck/domain/base-service.ts'
import { defaultOrganiseId } from '@wattdeck/domain/roles.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import { platformPhone } from '../../../kit/auth/platform-phone.ts'
import { forbidden, invalid, notFound, orNotFound } from '../../../kit/http/refusal.ts'
import * as store from './base-service.store.ts'

const baseServiceHandlers: Handlers<typeof baseService> = {
  read: async ({ db, scope, actor, query: { organiseId } }) => {
    // The terms between an organisation and the platform are hidden from its agents.
    const isOwn = scope.level === 1 && actor.organiseId === organiseId
    if (!isOwn && !actor.menuKeys.includes(menuKey.organise)) throw forbidden()
    const [organise, terms] = await Promise.all([store.findOrganise(db, organiseId), store.readTerms(db, organiseId)])
    if (organise === undefined) throw notFound()
    return { organiseId, organiseName: organise.name, status: organise.status, terms }
  },

  set: async ({ db, scope, actor, body }) => {
    // An organisation may hold the menu, but only the platform sets its terms.
    if (scope.level !== 0) throw forbidden()
    // In arrears the platform could not reach the page that changes its terms.
    if (body.organiseId === defaultOrganiseId) throw invalid('平台自身无需设置基础服务')
    await store.lockOrganises(db, [body.organiseId])
    orNotFound(await store.findOrganise(db, body.organiseId))
    await store.saveTerms(db, { ...body, updatedBy: actor.userName })
    await store.refreshStatuses(db, shanghaiDay(Date.now()), [body.organiseId])
    return null
  },

  status: async ({ db, scope, actor, query: { organiseId, agentId } }) => {
    const organise = orNotFound(await store.findOrganise(db, organiseId))
    // A user of a site belongs to an agent whose row they do not see.
    if (agentId !== undefined && agentId !== actor.agentId && !(await store.agentIsIn(db, organiseId, agentId)))
      throw notFound()
    const terms = await store.readTerms(db, organiseId)
    const stopsAtExpiry = terms?.expiryPolicy === expiryPolicy.code.stop
    return {
      value: organise.status,
      expiresOn: terms?.expiresOn ?? null,
      stopsOn: terms === null ? null : serviceStopsOn({ ...terms, stopsAtExpiry }),
      servicePhone: await platformPhone(db, scope),
    }
  },
}

export const baseServiceFeature = defineFeature(baseService, baseServiceHandlers)
