import type { ImportColumn } from '@wattdeck/contract/system/batch.ts'
import type { PersonalClass } from '@wattdeck/domain/masks.ts'
import type { Action } from '@wattdeck/contract/kit/route.ts'
import type { z } from 'zod'
import type { Actor } from '../auth/actor.ts'
import type { Db } from '../db/db.ts'
import type { Scope } from '../db/scope.ts'

export type BatchCtx = { db: Db; scope: Scope; actor: Actor }
export type BatchTarget = { job_id: string; seq: number; target_id: string | null; input: unknown }

/** A batch operation on many rows. Each row is processed in the scope and with the rights of the requester. */
export type BatchKind = {
  kind: string
  module: string
  access: { menu: string; action: Action; platform?: true }
  /** The list whose open pages are notified of changed rows. */
  list: string
  params: z.ZodType
  /** Processes one row, or throws a refusal whose message becomes the reason of this row. */
  apply: (ctx: BatchCtx, params: never, target: BatchTarget) => Promise<void>
  import?: ImportKind
  /**
   * For asynchronous rows: a row is running until `settleItems` stores its outcome. `cancel` cancels the rows that have not
   * started when the job is cancelled.
   */
  pending?: { cancel: (ctx: BatchCtx, jobId: string) => Promise<void> }
}
/** Defines a kind with typed parameters. */
export const batchKind = <S extends z.ZodType>(
  kind: Omit<BatchKind, 'params' | 'apply'> & {
    params: S
    apply: (ctx: BatchCtx, params: z.output<S>, target: BatchTarget) => Promise<void>
  },
): BatchKind => kind as unknown as BatchKind

export type ImportValues = Record<string, string>
export type ImportRow = { seq: number; values: ImportValues }

/** A possible column of a sheet. It uses the schema of the form, so rows and forms are validated alike. */
export type ImportField = Omit<ImportColumn, 'note'> & {
  schema: z.ZodType
  note?: string
  /** Converts a text of the sheet to the input of the schema, for example a label to its code. */
  read?: (text: string) => string
  personal?: PersonalClass
  /**
   * For a secret: encrypts it before anything is stored, and it is never shown. Its column is therefore matched by title
   * alone, and unknown columns of such a sheet are dropped.
   */
  seal?: (text: string) => string
}

/** Definition of an import from a sheet into a list. */
export type ImportKind = {
  fields: readonly ImportField[]
  /** Display label of a row. */
  labelOf: (values: ImportValues) => string
  /** Checks that need the other rows or the database: duplicates, and the resolution of names. */
  check: (ctx: BatchCtx, rows: readonly ImportRow[]) => Promise<Map<number, Verdict>>
}
/** The reason for rejecting a row, or its resolved names. */
export type Verdict = { reason: string } | { resolved: Record<string, string | undefined> }
