import { deadLetter, deadLetterList } from '@wattdeck/contract/product/dead-letter.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import { listQuery } from '../../../kit/db/list-query.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import { conflict, forbidden, notFound } from '../../../kit/http/refusal.ts'
import * as store from './dead-letter.store.ts'

type Change = Ctx<(typeof deadLetter)['replay']>

/** Handles all dead letters or none: another user may have handled one meanwhile. */
async function handleAll({ db, scope, actor, body }: Change, how: 'replay' | 'giveUp'): Promise<string[]> {
  if (scope.level !== 0) throw forbidden()
  const requestedIds = new Set(body.ids)
  if ((await store.countThere(db, body.ids)) < requestedIds.size) throw notFound()
  const handled = await store.handle(db, body.ids, { how, by: actor.userName })
  if (handled.length < requestedIds.size) throw conflict('所选报文已被处理，请刷新后重试')
  return handled
}

const deadLetterHandlers: Handlers<typeof deadLetter> = {
  list: ({ db, scope, query }) => listQuery(db, scope, deadLetterList, store.deadLetterSource, query),

  replay: async (ctx) => {
    const handled = await handleAll(ctx, 'replay')
    for (const letterId of handled) await ctx.enqueue('device.replay', { letterId })
    return { changed: handled.length }
  },

  giveUp: async (ctx) => ({ changed: (await handleAll(ctx, 'giveUp')).length }),
}

export const deadLetterFeature = defineFeature(deadLetter, deadLetterHandlers)
