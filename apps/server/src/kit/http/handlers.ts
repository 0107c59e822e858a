import type { AnyRoute, BodyOf, DataOf, ParamsOf, QueryOf, Routes } from '@wattdeck/contract/kit/route.ts'
import type { Actor } from '../auth/actor.ts'
import type { Db } from '../db/db.ts'
import type { Enqueue } from '../jobs/jobs.ts'
import type { Scope } from '../db/scope.ts'
import type { Upload } from './uploads.ts'

/** Who is to stand in the log for an action that nobody was logged in for. */
export type AuditSubject = Pick<Actor, 'organiseId' | 'agentId' | 'siteId'> & {
  [Field in 'userId' | 'userName' | 'loginName']: Actor[Field] | null
}

export type Ctx<R extends AnyRoute> = {
  db: Db
  scope: Scope
  /** Who asks. Reading it in a public route is a fault. */
  actor: Actor
  params: ParamsOf<R>
  query: QueryOf<R>
  body: BodyOf<R>
  file: Upload | undefined
  request: { id: string; ip: string; userAgent: string; token: string }
  enqueue: Enqueue
  /** For what must not happen before the commit, and may be lost with the process: telling a cache. */
  afterCommit: (work: () => Promise<void>) => void
  auditAs: (subject: AuditSubject) => void
  /** What it was done to or why, for the line in the log. */
  setAuditDetail: (detail: string) => void
  /** What the console shows instead of 操作成功. */
  setMessage: (message: string) => void
}

/** What is known of a request before its transaction begins. */
export type RequestInput<R extends AnyRoute> = Pick<Ctx<R>, 'actor' | 'params' | 'query' | 'body' | 'file'>

/** A handler in two steps; see `prepared`. */
export type Prepared<R extends AnyRoute> = {
  prepare: (ask: RequestInput<R>) => Promise<unknown>
  handle: (ctx: Ctx<R>, made: never) => Promise<DataOf<R>>
  undo?: (made: never) => Promise<void>
}

/**
 * For what must not happen while a transaction is open: storing an object, reading a sheet, encoding a picture. `prepare`
 * runs before it, `handle` in it. `undo` runs when nothing of it was kept: it was refused, it failed, or the same request
 * had come before.
 */
export const prepared = <R extends AnyRoute, Made>(steps: {
  prepare: (ask: RequestInput<R>) => Promise<Made>
  handle: (ctx: Ctx<R>, made: Made) => Promise<DataOf<R>>
  undo?: (made: Made) => Promise<void>
}): Prepared<R> => steps as Prepared<R>

/** A handler for every route of a feature; a missing or wrong one does not compile. Streams are implemented apart. */
export type Handlers<T extends Routes> = {
  [K in keyof T as T[K]['encoding'] extends 'sse' ? never : K]:
    | ((ctx: Ctx<T[K]>) => Promise<DataOf<T[K]>>)
    | Prepared<T[K]>
}
