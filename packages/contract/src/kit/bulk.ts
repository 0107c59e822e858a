import { z } from 'zod'
import { type Action, post } from './route.ts'
import { idList, row, text } from './wire.ts'

/** The filter of a list in URL form; the server parses it by the query schema of the list. */
export const filterText = z
  .string()
  .max(2000)
  .regex(/^[\w.~%&=+*-]*$/, '查询条件不正确')

/** Rows selected for a batch: by id, or all rows of a filter. */
export const chosenRows = { ids: idList().optional(), filter: filterText.optional() }
export type ChosenRows = { ids?: string[] | undefined; filter?: string | undefined }

/** A change of many rows runs as a job; its progress is read by its id. */
export const started = row({ jobId: z.string() })
export const startBatch = <B extends z.ZodRawShape>(
  path: string,
  spec: {
    menu: string
    action: Action
    module: string
    does: string
    body: B
    /** A call of the specification, which defines no idempotency key. A key that is sent is used. */
    keyless?: true
  },
) =>
  post(path, {
    access: { menu: spec.menu, action: spec.action },
    audit: { module: spec.module, does: spec.does },
    idempotent: spec.keyless !== true,
    body: row({ ...chosenRows, ...spec.body }),
    data: started,
  })

/** Requests a list as a file, which appears in download management. */
export const exportList = (path: string, spec: { menu: string; module: string; platform?: true }) =>
  post(path, {
    access: { menu: spec.menu, action: 'export', ...(spec.platform ? { platform: true as const } : {}) },
    audit: { module: spec.module, does: '导出列表' },
    idempotent: true,
    body: row({
      query: filterText.optional(),
      conditions: text(500, '查询条件').optional().describe('the filter as text, for the reader of the file'),
      columns: z
        .string()
        .max(1000)
        .regex(/^\w{1,40}(,\w{1,40})*$/, '请选择要导出的列')
        .transform((keys) => keys.split(',')),
    }),
    data: row({ id: z.string() }),
  })
