import { payAuth, payAuthList } from '@wattdeck/contract/accounting/pay-auth.ts'
import { shanghaiDay } from '@wattdeck/domain/base-service.ts'
import { listQuery } from '../../../kit/db/list-query.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import { publishToOrganisation } from '../../../kit/events/outbox.ts'
import { invalid, notFound } from '../../../kit/http/refusal.ts'
import * as store from './pay-auth.store.ts'

async function publishChange(
  { db, setAuditDetail }: Pick<Ctx<never>, 'db' | 'setAuditDetail'>,
  changed: Awaited<ReturnType<typeof store.cancel>>,
) {
  if (changed === undefined) throw notFound()
  setAuditDetail(changed.merchantNo)
  const place = { organise_id: changed.organiseId, agent_id: null, site_id: null }
  await publishToOrganisation(db, place, { kind: 'changed', list: 'paySetting' })
  return null
}

const payAuthHandlers: Handlers<typeof payAuth> = {
  list: ({ db, scope, query }) => listQuery(db, scope, payAuthList, store.payAuthSource, query),

  authorise: async (ctx) => {
    const { db, actor, body } = ctx
    if (body.until !== undefined && body.until < shanghaiDay(Date.now())) throw invalid('到期日不能早于今天', 'until')
    return publishChange(ctx, await store.authorise(db, body.id, actor.userName, body.until ?? null))
  },

  cancel: async (ctx) => publishChange(ctx, await store.cancel(ctx.db, ctx.body.id)),
}

export const payAuthFeature = defineFeature(payAuth, payAuthHandlers)
