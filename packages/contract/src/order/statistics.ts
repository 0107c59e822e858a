import { z } from 'zod'
import { codes } from '../kit/codes.ts'
import { date } from '../kit/wire.ts'
import { ownerIds } from '../system/ownership.ts'

/** 维度: how long a period is. */
export const statSpan = codes({
  day: { code: 1, label: '按日' },
  month: { code: 2, label: '按月' },
})

/** 归属维度: what the figures of a period are told apart by. Without one they are those of everything that was asked for. */
export const statBy = codes({
  organise: { code: 1, label: '按机构' },
  agent: { code: 2, label: '按代理商' },
  site: { code: 3, label: '按站点' },
})
export type StatBy = (typeof statBy.options)[number]['value']

/** How many periods are shown unless said otherwise, and at most. */
export const statPeriods = { 1: { usual: 30, most: 366 }, 2: { usual: 12, most: 36 } } as const

/** Months are whole ones: those in which the first and the last day lie. */
export const statQuery = {
  span: statSpan.wire.optional().describe('days unless said otherwise'),
  by: statBy.wire.optional(),
  ...ownerIds,
  from: date.optional(),
  to: date.optional(),
}

/** What a row of figures is of. */
export const statFields = {
  id: z.string(),
  period: z.string().describe('a day, YYYY-MM-DD, or a month, YYYY-MM'),
  ownerId: z.string().nullable().describe('null: of everything that was asked for'),
  ownerName: z.string().nullable(),
}
