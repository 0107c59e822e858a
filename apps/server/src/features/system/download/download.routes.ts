import { download, downloadFlow, downloadList } from '@wattdeck/contract/system/download.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import { fileType } from '../../../kit/bulk/exports.ts'
import { listQuery } from '../../../kit/db/list-query.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import { conflict, orNotFound } from '../../../kit/http/refusal.ts'
import * as store from './download.store.ts'

const ownFile = async ({ db, scope, actor }: Pick<Ctx<never>, 'db' | 'scope' | 'actor'>, id: string) =>
  orNotFound(await store.lockOwn(db, scope, actor.userId, id))

const downloadHandlers: Handlers<typeof download> = {
  list: ({ db, scope, actor, query }) => listQuery(db, scope, downloadList, store.downloadSource(actor.userId), query),

  retry: async (ctx) => {
    await ownFile(ctx, ctx.body.id)
    if (!(await store.moveTo(ctx.db, ctx.body.id, 'retry'))) throw conflict('只有失败或已过期的任务可以重试')
    await ctx.enqueue('export.run', { downloadId: ctx.body.id })
    return null
  },

  remove: async (ctx) => {
    for (const id of ctx.body.ids) {
      await ownFile(ctx, id)
      await store.removeDownload(ctx.db, id)
    }
    return { changed: ctx.body.ids.length }
  },

  file: async (ctx) => {
    const { title, format, status, fresh, object_key: key, created_at: at } = await ownFile(ctx, ctx.body.id)
    // The file expires at its time, not with the next housekeeping.
    if (key === null || format === null || !fresh || !downloadFlow.can('fetch', status as never))
      throw conflict('文件尚未生成或已过期')
    ctx.setAuditDetail(title)
    return {
      key,
      name: `${title}_${at.replaceAll(/[: -]/g, '')}.${format}`,
      type: fileType[format as keyof typeof fileType],
    }
  },
}

export const downloadFeature = defineFeature(download, downloadHandlers)
