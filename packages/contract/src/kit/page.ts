import { z } from 'zod'
import { row, whole } from './wire.ts'

/** Lists are counted exactly up to this many rows, and paged no deeper. */
export const countBound = 10_000

export const PageQuery = row({ pageNum: whole(1, countBound).default(1), pageSize: whole(1, 500).default(10) })

export const page = <T extends z.ZodType>(item: T) => row({ total: z.int(), bounded: z.boolean(), rows: z.array(item) })
export type Page<T> = { total: number; bounded: boolean; rows: T[] }
