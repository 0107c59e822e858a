import { z } from 'zod'
import { codes } from '../kit/codes.ts'
import { date } from '../kit/wire.ts'
import { ownerIds } from '../system/ownership.ts'

/** 维度: the length of a period. */
export const statSpan = codes({
  day: { code: 1, label: '按日' },
  month: { code: 2, label: '按月' },
})

/** 归属维度: the owner level that splits the figures of a period. Without it they cover the whole filter. */
export const statBy = codes({
  organise: { code: 1, label: '按机构' },
  agent: { code: 2, label: '按代理商' },
  site: { code: 3, label: '按站点' },
})
export type StatBy = (typeof statBy.options)[number]['value']

/** The default and the maximum number of periods. */
export const statPeriods = { 1: { usual: 30, most: 366 }, 2: { usual: 12, most: 36 } } as const

/** Months are whole: those of the first and the last day. */
export const statQuery = {
  span: statSpan.wire.optional().describe('days by default'),
  by: statBy.wire.optional(),
  ...ownerIds,
  from: date.optional(),
  to: date.optional(),
}

/** The identity of a row of figures. */
export const statFields = {
  id: z.string(),
  period: z.string().describe('a day, YYYY-MM-DD, or a month, YYYY-MM'),
  ownerId: z.string().nullable().describe('null: the row covers the whole request'),
  ownerName: z.string().nullable(),
}
