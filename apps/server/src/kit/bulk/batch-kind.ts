import type { ImportColumn } from '@wattdeck/contract/system/batch.ts'
import type { PersonalClass } from '@wattdeck/domain/masks.ts'
import type { Action } from '@wattdeck/contract/kit/route.ts'
import type { z } from 'zod'
import type { Actor } from '../auth/actor.ts'
import type { Db } from '../db/db.ts'
import type { Scope } from '../db/scope.ts'

export type BatchCtx = { db: Db; scope: Scope; actor: Actor }
export type BatchTarget = { job_id: string; seq: number; target_id: string | null; input: unknown }

/** Something that can be done to many rows. Each row is done in the scope and with the rights of who asked for it. */
export type BatchKind = {
  kind: string
  module: string
  access: { menu: string; action: Action; platform?: true }
  /** The list whose open pages are told when rows have changed. */
  list: string
  params: z.ZodType
  /** Does it to one row, or throws a refusal whose words become the reason of this row. */
  apply: (ctx: BatchCtx, params: never, target: BatchTarget) => Promise<void>
  import?: ImportKind
  /**
   * What is done to a row ends later: it is running until `settleItems` says what became of it. `cancel` calls off what
   * has not begun when somebody cancels the job.
   */
  pending?: { cancel: (ctx: BatchCtx, jobId: string) => Promise<void> }
}
/** A kind whose parameters are typed where it is written. */
export const batchKind = <S extends z.ZodType>(
  kind: Omit<BatchKind, 'params' | 'apply'> & {
    params: S
    apply: (ctx: BatchCtx, params: z.output<S>, target: BatchTarget) => Promise<void>
  },
): BatchKind => kind as unknown as BatchKind

export type ImportValues = Record<string, string>
export type ImportRow = { seq: number; values: ImportValues }

/** A column that a sheet may have. The schema is the form's own, so a row is held to what a form is held to. */
export type ImportField = Omit<ImportColumn, 'note'> & {
  schema: z.ZodType
  note?: string
  /** Words of the sheet turned into what the schema takes: a label into its code. */
  read?: (text: string) => string
  personal?: PersonalClass
  /**
   * Of a secret: what is kept of it instead. It is sealed before anything is stored, so its column is found by its title
   * alone, and columns that nobody knows are dropped with what they hold. It is shown to nobody.
   */
  seal?: (text: string) => string
}

/** How rows of a sheet become rows of a list. */
export type ImportKind = {
  fields: readonly ImportField[]
  /** What a row is called. */
  labelOf: (values: ImportValues) => string
  /** What can only be known with the other rows and the database: who is there already, which names mean what. */
  check: (ctx: BatchCtx, rows: readonly ImportRow[]) => Promise<Map<number, Verdict>>
}
/** Why a row cannot be taken, or what its names were found to mean. */
export type Verdict = { reason: string } | { resolved: Record<string, string | undefined> }
