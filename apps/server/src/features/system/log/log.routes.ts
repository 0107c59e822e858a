import { log, logList } from '@wattdeck/contract/system/log.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import { requestExport } from '../../../kit/bulk/exports.ts'
import { exportOf } from '../../../kit/bulk/list-export.ts'
import { listQuery } from '../../../kit/db/list-query.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import { notFound } from '../../../kit/http/refusal.ts'
import { changesForReading, placeOfAddress } from './log.rules.ts'
import { logSource, readEntry } from './log.store.ts'

const logExport = exportOf('log', logList, logSource, { title: '操作日志' })

const logHandlers: Handlers<typeof log> = {
  list: ({ db, scope, query }) => listQuery(db, scope, logList, logSource, query),

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
