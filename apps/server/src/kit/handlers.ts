import type { AnyRoute, BodyOf, DataOf, ParamsOf, QueryOf, Routes } from '@wattdeck/contract/kit/route.ts'
import type { Actor } from './actor.ts'
import type { Db } from './db.ts'
import type { Enqueue } from './jobs.ts'
import type { Scope } from './scope.ts'

/** Who is to stand in the log for an action that nobody was logged in for. */
export type AuditSubject = Pick<Actor, 'userId' | 'userName' | 'loginName' | 'organiseId' | 'agentId' | 'siteId'>

export type Ctx<R extends AnyRoute> = {
  db: Db
  scope: Scope
  /** Who asks. Reading it in a public route is a fault. */
  actor: Actor
  params: ParamsOf<R>
  query: QueryOf<R>
  body: BodyOf<R>
  file: { type: string; bytes: Buffer } | undefined
  request: { id: string; ip: string; userAgent: string; token: string }
  enqueue: Enqueue
  /** For what must not happen before the commit, and may be lost with the process: telling a cache. */
  afterCommit: (work: () => Promise<void>) => void
  auditAs: (subject: AuditSubject) => void
  /** What the console shows instead of 操作成功. */
  say: (message: string) => void
}

/** A handler for every route of a feature; a missing or wrong one does not compile. Streams are implemented apart. */
export type Handlers<T extends Routes> = {
  [K in keyof T as T[K]['encoding'] extends 'sse' ? never : K]: (ctx: Ctx<T[K]>) => Promise<DataOf<T[K]>>
}
