import { tariffLab } from '@wattdeck/contract/product/tariff-lab.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import { placeOf } from '../../../kit/auth/actor.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import { conflict, notFound, orNotFound } from '../../../kit/http/refusal.ts'
import { shownResult } from './tariff-lab.rules.ts'
import * as store from './tariff-lab.store.ts'

const tariffLabHandlers: Handlers<typeof tariffLab> = {
  list: async ({ db, params, query }) => {
    if (!(await store.tariffExists(db, params.id))) throw notFound()
    return store.listRuns(db, params.id, query)
  },

  read: async ({ db, params }) => {
    const row = orNotFound(await store.readRun(db, params.id))
    const { run, rules, result } = row
    if (result === null) return { ...run, result: null }
    const members = [...result.losers, ...result.gainers].map(({ id }) => id)
    const sites = result.sites.map(({ id }) => id)
    return { ...run, result: shownResult(result, rules, await store.namesOf(db, sites, members)) }
  },

  start: async ({ db, actor, body, enqueue }) => {
    const { id: tariffId, versionId, days, siteIds = [] } = body
    const version = orNotFound(await store.findVersion(db, tariffId, versionId))
    if ((await store.countSites(db, version.organise_id, siteIds)) < new Set(siteIds).size) throw notFound()
    if (await store.isRunning(db, tariffId)) throw conflict('该消费标准正在试算，请等待完成')
    const { organise_id, rules, no } = version
    // Stored at the place of its requester: other users may not see the same past charges.
    const own = placeOf(actor)
    const place = own.organise_id === organise_id ? own : { organise_id, agent_id: null, site_id: null }
    const by = actor.userName
    const id = await store.addRun(db, { place, userId: actor.userId, tariffId, no, rules, days, siteIds, by })
    await enqueue('tariff.lab', { labId: id })
    return { id }
  },
}

export const tariffLabFeature = defineFeature(tariffLab, tariffLabHandlers)
