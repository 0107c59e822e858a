import { log } from '@wattdeck/contract/system/log.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import { requestExport } from '../../../kit/bulk/exports.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import { notFound } from '../../../kit/http/refusal.ts'
import { changesForReading, placeOfAddress } from './log.rules.ts'
import { logExport, logPage } from './log.export.ts'
import { readEntry } from './log.store.ts'

const logHandlers: Handlers<typeof log> = {
  list: ({ db, scope, query }) => logPage(db, scope, query),

  exportList: async (ctx) => {
    ctx.setAuditDetail(ctx.body.conditions ?? '近31天')
    ctx.setMessage('导出任务已提交，请前往「下载管理」查看')
    return requestExport(ctx, logExport, ctx.body)
  },

  detail: async ({ db, params }) => {
    const entry = await readEntry(db, params.id)
    if (entry === undefined) throw notFound()
    return { ...entry, place: placeOfAddress(entry.ip), changes: changesForReading(entry.changes) }
  },
}

export const logFeature = defineFeature(log, logHandlers, { exports: [logExport] })
