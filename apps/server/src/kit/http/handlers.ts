import type { AnyRoute, BodyOf, DataOf, ParamsOf, QueryOf, Routes } from '@wattdeck/contract/kit/route.ts'
import type { Actor } from '../auth/actor.ts'
import type { Db } from '../db/db.ts'
import type { Enqueue } from '../jobs/jobs.ts'
import type { Scope } from '../db/scope.ts'
import type { Upload } from './uploads.ts'

/** The person of an audit entry for an action without login. */
export type AuditSubject = Pick<Actor, 'organiseId' | 'agentId' | 'siteId'> & {
  [Field in 'userId' | 'userName' | 'loginName']: Actor[Field] | null
}

export type Ctx<R extends AnyRoute> = {
  db: Db
  scope: Scope
  /** The caller. Throws in a public route. */
  actor: Actor
  params: ParamsOf<R>
  query: QueryOf<R>
  body: BodyOf<R>
  file: Upload | undefined
  request: { id: string; ip: string; userAgent: string; token: string }
  enqueue: Enqueue
  /** Work that must follow the commit and may be lost with the process, for example cache invalidation. */
  afterCommit: (work: () => Promise<void>) => void
  auditAs: (subject: AuditSubject) => void
  /** Object or reason of the action, for the audit entry. */
  setAuditDetail: (detail: string) => void
  /** Message for the console, in place of 操作成功. */
  setMessage: (message: string) => void
}

/** The part of the context that exists before the transaction begins. */
export type RequestInput<R extends AnyRoute> = Pick<Ctx<R>, 'actor' | 'params' | 'query' | 'body' | 'file'>

/** A handler in two steps; see `prepared`. */
export type Prepared<R extends AnyRoute> = {
  prepare: (ask: RequestInput<R>) => Promise<unknown>
  handle: (ctx: Ctx<R>, prepareResult: never) => Promise<DataOf<R>>
  undo?: (prepareResult: never) => Promise<void>
}

/**
 * For slow work outside of the transaction: storing an object, reading a sheet, encoding a picture. `prepare` runs before
 * the transaction and `handle` in it. `undo` runs when the result is not used: after a refusal, a failure or a repeated
 * request.
 */
export const prepared = <R extends AnyRoute, PrepareResult>(steps: {
  prepare: (ask: RequestInput<R>) => Promise<PrepareResult>
  handle: (ctx: Ctx<R>, prepareResult: PrepareResult) => Promise<DataOf<R>>
  undo?: (prepareResult: PrepareResult) => Promise<void>
}): Prepared<R> => steps as Prepared<R>

/** A handler for every route of a feature, checked by the compiler. Streams are implemented separately. */
export type Handlers<T extends Routes> = {
  [K in keyof T as T[K]['encoding'] extends 'sse' ? never : K]:
    | ((ctx: Ctx<T[K]>) => Promise<DataOf<T[K]>>)
    | Prepared<T[K]>
}
