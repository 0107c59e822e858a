import { chargingOrder, type OrderDetail } from '@wattdeck/contract/order/charging-order.ts'
import { readBill } from '@wattdeck/domain/tariff/bill-json.ts'
import { explain } from '@wattdeck/domain/tariff/explain.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import { inScope, commit } from '../../../kit/db/db.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import { prepared } from '../../../kit/http/handlers.ts'
import type { Deps } from '../../../kit/http/http.ts'
import { forbidden, orNotFound } from '../../../kit/http/refusal.ts'
import { withWholeOrganiseScope } from '../../../kit/db/whole-organise.ts'
import { countReveal } from '../../_shared/reveal.ts'
import { organiseOf } from '../_shared/order-access.ts'
import { billParts } from './bill-parts.ts'
import * as store from './charging-order.store.ts'
import { gatherEvidence } from './evidence.ts'
import { writeEvidence } from './evidence-pdf.ts'

type Some = Pick<Ctx<never>, 'db' | 'scope'>

const spanOf = async ({ db }: Some, id: string): Promise<store.Span> => orNotFound(await store.spanOf(db, id))

/** Seconds. Only the caller downloads the file, directly after the request; then a job removes it. */
const retentionS = 600

const chargingOrderHandlers = ({ pool, files, pdfFont }: Deps): Handlers<typeof chargingOrder> => ({
  read: async ({ db, params }) => {
    const row = orNotFound(await store.readOrder(db, params.id))
    const { bill: stored, settlement: _, ...order } = row
    const bill = stored === null ? undefined : readBill(stored)
    const breakdown =
      bill === undefined ? { parts: [], explanation: [] } : { parts: billParts(bill), explanation: explain(bill) }
    return { ...order, ...breakdown } as OrderDetail
  },

  curve: async ({ db, params }) => {
    await organiseOf(db, params.id)
    return store.readCurve(db, params.id)
  },

  postings: async ({ db, scope, params }) => {
    const organiseId = await organiseOf(db, params.id)
    return withWholeOrganiseScope(db, scope, organiseId, () => store.readPostings(db, organiseId, params.id))
  },

  messages: async (ctx) => store.listMessages(ctx.db, await spanOf(ctx, ctx.params.id), ctx.query),
  commands: async (ctx) => store.readCommands(ctx.db, await spanOf(ctx, ctx.params.id)),

  evidence: prepared({
    prepare: async ({ actor, body }) => {
      const clear = body.clear === true
      if (clear && !actor.unmask) throw forbidden()
      const { scope, userName } = actor
      const facts = await inScope(pool, scope, 'read', async ({ db }) =>
        commit(await gatherEvidence(db, scope, body.id, { clear, by: userName })),
      )
      const { bytes, hash } = await writeEvidence(facts, pdfFont)
      const key = `evidence/${facts.organiseId}/${crypto.randomUUID()}.pdf`
      await files.put(key, bytes, 'application/pdf')
      return { key, hash }
    },
    handle: async (ctx, { key, hash }) => {
      const { body } = ctx
      await organiseOf(ctx.db, body.id)
      const reason = `订单${body.id}举证材料`
      if (body.clear === true) await countReveal(ctx, { kind: 'member', rowId: body.id, field: 'evidence', reason })
      ctx.setAuditDetail(`订单${body.id}，${body.clear === true ? '明文' : '脱敏'}，摘要${hash}`)
      await ctx.enqueue('files.remove', { objectKey: key }, retentionS)
      return { key, name: `举证材料-${body.id}.pdf`, type: 'application/pdf' }
    },
    undo: ({ key }) => files.remove(key),
  }),
})

export const chargingOrderFeature = defineFeature(chargingOrder, chargingOrderHandlers)
