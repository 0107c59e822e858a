import type { AnyRoute, QueryOf, FileReply, Routes } from '@wattdeck/contract/kit/route.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Redis } from 'ioredis'
import type pg from 'pg'
import type { PgBoss } from 'pg-boss'
import { z } from 'zod'
import { mayAct } from './acting.ts'
import type { Actor } from './actor.ts'
import { limitAddress } from './attempts.ts'
import { appendAudit, type AuditEntry } from './audit.ts'
import type { CodeSigner } from './code-signer.ts'
import { inScope, type Outcome, type Transaction } from './db.ts'
import type { DeviceCa } from './device-ca.ts'
import { sendFile } from './file-reply.ts'
import type { Files } from './files.ts'
import type { Gate } from './gate.ts'
import type { Ask, AuditSubject, Ctx, Handlers, Prepared } from './handlers.ts'
import { claimKey, idempotencyKey, releaseKey, storeReply, type StoredReply } from './idempotency.ts'
import { type Input, readInput, readQuery } from './input.ts'
import { enqueueOn } from './jobs.ts'
import { forbidden, Refusal, refusalOf } from './refusal.ts'
import type { SessionStore } from './session-store.ts'
import { signedBy } from './signature.ts'
import { systemScope } from './system-scope.ts'
import { UploadMemory } from './uploads.ts'
import type { Vault } from './vault.ts'

export type Deps = {
  pool: pg.Pool
  redis: Redis
  boss: PgBoss
  sessions: SessionStore
  gate: Gate
  vault: Vault
  files: Files
  /** A font with Chinese letters, for what is written as PDF. */
  pdfFont: string
  codes: CodeSigner
  deviceCa: DeviceCa | undefined
  publicPerMinute: number
  /** Commands to more devices than this wait for a second person. */
  commandsWithoutApproval: number
  /** Where Alipay asks for a person's consent, for which application, and where it sends them back to. */
  alipay: { authoriseUrl: string; appId: string; returnUrl: string }
  implemented: Set<AnyRoute>
}

/** Lets Fastify serve the routes of a feature: session, access, input, transaction, audit, reply, in this order. */
export function implement<T extends Routes>(app: FastifyInstance, deps: Deps, routes: T, handlers: Handlers<T>): void {
  for (const [name, handler] of Object.entries(handlers)) {
    const route = routes[name]
    if (route === undefined) throw new Error(`no route '${name}'`)
    const steps = stepsOf(handler as Handler)
    serve(app, deps, route, (request, reply) => deps.gate.watch(() => respond(deps, route, steps, request, reply)))
  }
}

async function respond(
  deps: Deps,
  route: AnyRoute,
  steps: Steps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const memory = new UploadMemory()
  try {
    const actor = await deps.gate.pass(() => admit(deps, route, request))
    // Outside the gate: a file that dribbles in holds no place that others need. So does one that dribbles out.
    const input = await readInput(route, request, memory)
    const envelope = await deps.gate.pass(() => answer(deps, route, steps, request, { actor, input }))
    if (route.reply === 'file') return await sendFile(deps.files, reply, envelope.data as FileReply)
    return await reply.send(envelope)
  } finally {
    memory.free()
  }
}

type Handler = ((ctx: Ctx<AnyRoute>) => Promise<unknown>) | Prepared<AnyRoute>
type Steps = {
  prepare?: (ask: Ask<AnyRoute>) => Promise<unknown>
  handle: (ctx: Ctx<AnyRoute>, made?: unknown) => Promise<unknown>
  undo?: (made: unknown) => Promise<void>
}
const stepsOf = (handler: Handler) => (typeof handler === 'function' ? { handle: handler } : handler) as Steps

/** The same gate for a stream of events; the handler keeps the connection. */
export function implementStream<R extends AnyRoute>(
  app: FastifyInstance,
  deps: Deps,
  route: R,
  handler: (actor: Actor, query: QueryOf<R>, request: FastifyRequest, reply: FastifyReply) => void,
): void {
  serve(app, deps, route, async (request, reply) => {
    const actor = await deps.gate.pass(() => admit(deps, route, request))
    if (actor === undefined) throw new Error('a stream is never public')
    handler(actor, readQuery(route, request), request, reply)
    return reply
  })
}

function serve(
  app: FastifyInstance,
  deps: Deps,
  route: AnyRoute,
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
) {
  if ((route.access as unknown) === undefined) throw new Error(`${route.method} ${route.path} declares no access`)
  deps.implemented.add(route)
  app.route({ method: route.method, url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'), handler })
}

export const bearerToken = (request: FastifyRequest) =>
  /^Bearer ([\w-]{43})$/.exec(request.headers.authorization ?? '')?.[1] ?? ''

/** Deny by default: who is not expressly let in by the route's access is turned away. */
async function admit(deps: Deps, route: AnyRoute, request: FastifyRequest): Promise<Actor | undefined> {
  const { access } = route
  if (access === 'public') {
    await limitAddress(deps.pool, request.ip, deps.publicPerMinute)
    return undefined
  }
  if (access === 'signed') return signedBy(deps.pool, deps.vault, request)
  const token = bearerToken(request)
  const actor = token === '' ? undefined : await deps.sessions.find(token)
  if (actor === undefined) throw new Refusal(401, '您还未登录，请先登录！')
  if (access === 'partial') return actor
  if (actor.stage !== 'full') throw new Refusal(401, '请先完成登录验证')
  if (access === 'anyone') return actor
  if (!mayAct(actor, access)) throw forbidden()
  return actor
}

async function answer(
  deps: Deps,
  route: AnyRoute,
  steps: Steps,
  request: FastifyRequest,
  { actor, input }: { actor: Actor | undefined; input: Input },
): Promise<StoredReply & { success: true }> {
  const started = performance.now()
  const key = idempotencyKey(route, request.headers['idempotency-key'])
  const scope = actor?.scope ?? systemScope
  const later: (() => Promise<void>)[] = []
  let subject: AuditSubject | undefined = actor
  let message = '操作成功'
  let detail: string | undefined
  let own: StoredReply | undefined

  const known = (): Actor => {
    if (actor === undefined) throw new Error('nobody is logged in on a public route')
    return actor
  }
  const ask: Ask<AnyRoute> = {
    ...input,
    get actor() {
      return known()
    },
  }
  const ctxOn = ({ db, client }: Transaction): Ctx<AnyRoute> => ({
    ...input,
    db,
    scope,
    get actor() {
      return known()
    },
    request: {
      id: request.id,
      ip: request.ip,
      userAgent: (request.headers['user-agent'] ?? '').slice(0, 200),
      token: bearerToken(request),
    },
    enqueue: enqueueOn(deps.boss, client),
    afterCommit: (work) => later.push(work),
    auditAs: (who) => (subject = who),
    note: (text) => (detail = text),
    say: (text) => (message = text),
  })
  const entry = (result: 0 | 1, reason: string | null): AuditEntry => {
    const plain = auditEntry(route, request, subject, started, result, reason)
    return detail === undefined ? plain : { ...plain, content: `${plain.content}：${detail}`.slice(0, 300) }
  }

  const made = await steps.prepare?.(ask)
  const undo = async () => {
    const failed = (error: unknown) => request.log.warn({ err: error }, 'not undone')
    if (steps.prepare !== undefined) await steps.undo?.(made).catch(failed)
  }
  const work = async (transaction: Transaction): Promise<Outcome<StoredReply | Refusal>> => {
    const { db, client } = transaction
    const first =
      key !== undefined && actor !== undefined ? await claimKey(db, deps.vault, actor, key, route, input) : undefined
    if (first !== undefined) return { keep: true, value: first }
    try {
      const data: unknown = route.data.parse(await steps.handle(ctxOn(transaction), made))
      if (route.audit !== 'none') await appendAudit(client, entry(1, null))
      own = { message, data }
      if (key !== undefined && actor !== undefined) await storeReply(db, deps.vault, actor, key, own)
      return { keep: true, value: own }
    } catch (error) {
      if (!(error instanceof Refusal) || !error.keep) throw error
      if (key !== undefined && actor !== undefined) await releaseKey(db, actor, key)
      if (route.audit !== 'none') await appendAudit(client, entry(0, error.message))
      return { keep: true, value: error }
    }
  }

  // A captcha is asked for by GET and stored; every other GET only reads.
  // What is not logged collects no changes for the log either.
  const writing = route.audit === 'none' ? 'record' : 'write'
  const mode = route.method === 'GET' && route.access !== 'public' ? 'read' : writing
  const outcome = await inScope(deps.pool, scope, mode, work).catch(async (error: unknown) => {
    await undo()
    const refusal = refusalOf(error)
    if (refusal === undefined || refusal.status >= 500) throw error
    if (route.audit !== 'none' && refusal.status !== 422) await recordRefusal(deps, entry(0, refusal.message))
    throw refusal
  })
  if (outcome !== own) await undo()
  for (const after of later) await after()
  if (outcome instanceof Refusal) throw outcome
  return { success: true, ...outcome }
}

/** What was refused is rolled back, so its line in the log needs a transaction of its own. */
async function recordRefusal(deps: Deps, entry: AuditEntry): Promise<void> {
  await inScope(deps.pool, systemScope, 'write', async ({ client }) => {
    await appendAudit(client, entry)
    return { keep: true, value: undefined }
  })
}

function auditEntry(
  route: AnyRoute,
  request: FastifyRequest,
  subject: AuditSubject | undefined,
  started: number,
  result: 0 | 1,
  reason: string | null,
): AuditEntry {
  if (route.audit === 'none') throw new Error(`${route.path} is not audited`)
  const { access, audit } = route
  const kind = typeof access === 'object' ? (access.action ?? 'edit') : audit.module === '登录' ? 'login' : 'own'
  return {
    organise_id: subject?.organiseId ?? '1',
    agent_id: subject?.agentId ?? null,
    site_id: subject?.siteId ?? null,
    user_id: subject?.userId ?? null,
    user_name: subject?.userName ?? null,
    login_name: subject?.loginName ?? null,
    module: audit.module,
    kind,
    content: audit.does,
    path: route.path,
    ip: request.ip,
    duration_ms: Math.round(performance.now() - started),
    result,
    reason,
    request_id: request.id,
  }
}

/** One place that turns whatever was thrown into the envelope. */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: unknown, request, reply) => {
    const refusal = error instanceof z.ZodError ? refusalOfInput(error) : (refusalOf(error) ?? httpRefusal(error))
    if (refusal === undefined) request.log.error({ err: error }, 'request failed')
    else if (refusal.cause !== undefined) request.log.error({ err: refusal.cause }, 'a service failed')
    const { status, message, retryAfterSeconds, fields } = refusal ?? new Refusal(500, '服务器发生错误，请检查服务器。')
    if (retryAfterSeconds !== undefined) void reply.header('retry-after', String(retryAfterSeconds))
    return reply
      .status(status)
      .send({ success: false, message, data: null, ...(fields === undefined ? {} : { fields }) })
  })
  app.setNotFoundHandler((_, reply) =>
    reply.status(404).send({ success: false, message: '请求的地址不存在', data: null }),
  )
}

/** What is wrong with it in a few words, and the first thing that is wrong with each field. */
function refusalOfInput(error: z.ZodError): Refusal {
  const message = [...new Set(error.issues.map((issue) => issue.message))].slice(0, 5).join(';')
  // An unknown field has no path of its own, so that no name here was chosen by the caller.
  const named = error.issues.filter(({ path }) => path.length > 0).toReversed()
  const fields = Object.fromEntries(named.map((issue) => [String(issue.path[0]), issue.message]))
  return new Refusal(422, message, named.length === 0 ? {} : { fields })
}

/** Fastify's own refusals: a body that is too large, not JSON, of an unknown type. */
function httpRefusal(error: unknown): Refusal | undefined {
  if (!(error instanceof Error) || !('statusCode' in error)) return undefined
  const status = Number(error.statusCode)
  const texts: Record<number, string> = { 400: '请求格式不正确', 413: '上传内容过大', 415: '请求的格式不受支持' }
  return status >= 400 && status < 500 ? new Refusal(status, texts[status] ?? '请求不正确') : undefined
}
