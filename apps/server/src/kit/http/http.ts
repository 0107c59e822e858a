import type { AnyRoute, FileReply, ParamsOf, PlainReply, QueryOf, Routes } from '@wattdeck/contract/kit/route.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Redis } from 'ioredis'
import type { PgBoss } from 'pg-boss'
import type { Actor } from '../auth/actor.ts'
import { addressOf } from './address.ts'
import { admit, bearerToken, type AuthDeps } from '../auth/admit.ts'
import { appendAudit, type AuditEntry } from '../audit/audit.ts'
import type { CodeSigner } from '../crypto/code-signer.ts'
import { inScope, type Outcome, type Transaction } from '../db/db.ts'
import type { SignerClient } from '../crypto/signer-client.ts'
import type { DeviceAuthority } from '../crypto/device-ca.ts'
import { sendFile } from './file-reply.ts'
import type { Files } from '../files/files.ts'
import type { ConcurrencyLimit } from './concurrency-limit.ts'
import { dropUnanswered } from './handle-errors.ts'
import { countFirst, countGuess } from '../auth/guesses.ts'
import type { RequestInput, AuditSubject, Ctx, Handlers, Prepared } from './handlers.ts'
import { claimKey, idempotencyKey, releaseKey, storeReply, type StoredReply } from './idempotency.ts'
import { type Input, readInput, readQuery } from './input.ts'
import { enqueueOn } from '../jobs/jobs.ts'
import type { RelyingParty } from '../auth/passkeys.ts'
import type { RefusalDelay } from './refusal-delay.ts'
import { Refusal, refusalOf } from './refusal.ts'
import type { WallboardHub } from '../events/wallboard-hub.ts'
import { withoutPersons } from './screen-reply.ts'
import { systemScope } from '../db/system-scope.ts'
import { assertStepUp, needsStepUp } from '../auth/two-people.ts'
import { UploadMemory } from './uploads.ts'

export type Deps = AuthDeps & {
  redis: Redis
  boss: PgBoss
  screens: WallboardHub
  concurrency: ConcurrencyLimit
  refusals: RefusalDelay
  files: Files
  /** A font with Chinese characters, for PDF files. */
  pdfFont: string
  codes: CodeSigner
  deviceAuthority: DeviceAuthority | undefined
  signer: SignerClient
  /** People down to this role level need a second factor, if they may change anything. */
  secondFactorLevel: number
  /** Host of the console, for passkeys. Undefined when browsers accept no passkeys there. */
  relyingParty: RelyingParty | undefined
  /** Limit of concurrent sessions of a person. */
  sessionsPerPerson: number
  /** Commands to more devices than this need the approval of a second person. */
  commandsWithoutApproval: number
  /** Alipay's consent page, the application id and the URL to which Alipay redirects. */
  alipay: { authoriseUrl: string; appId: string; returnUrl: string }
  implemented: Set<AnyRoute>
}

/** Registers the routes of a feature. Each request passes session, access, input, transaction, audit and reply, in this order. */
export function implement<T extends Routes>(app: FastifyInstance, deps: Deps, routes: T, handlers: Handlers<T>): void {
  for (const [name, handler] of Object.entries(handlers)) {
    const route = routes[name]
    if (route === undefined) throw new Error(`no route '${name}'`)
    const steps = stepsOf(handler as Handler)
    serve(app, deps, route, (request, reply) =>
      deps.concurrency.watch(() => respond(deps, route, steps, request, reply)),
    )
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
    const actor = await deps.concurrency.pass(() => admit(deps, route, request))
    // Outside of the limit, so that a slow upload occupies no slot. The same holds for a slow download.
    const input = confined(actor, await readInput(route, request, memory))
    const envelope = await deps.concurrency.pass(() => answer(deps, route, steps, request, { actor, input }))
    if (route.reply === 'plain') {
      const { status, type, body } = envelope.data as PlainReply
      if (status >= 400 && !(await deps.refusals.wait())) return dropUnanswered(request, reply)
      return await reply.status(status).type(type).send(body)
    }
    if (route.reply === 'file') return await sendFile(deps.files, reply, envelope.data as FileReply)
    return await reply.send(envelope)
  } finally {
    memory.free()
  }
}

type Handler = ((ctx: Ctx<AnyRoute>) => Promise<unknown>) | Prepared<AnyRoute>
type Steps = {
  prepare?: (ask: RequestInput<AnyRoute>) => Promise<unknown>
  handle: (ctx: Ctx<AnyRoute>, prepareResult?: unknown) => Promise<unknown>
  undo?: (prepareResult: unknown) => Promise<void>
}
const stepsOf = (handler: Handler) => (typeof handler === 'function' ? { handle: handler } : handler) as Steps

/** Registers a stream of events with the same admission. The handler keeps the connection. */
export function implementStream<R extends AnyRoute>(
  app: FastifyInstance,
  deps: Deps,
  route: R,
  handler: (
    actor: Actor,
    input: { params: ParamsOf<R>; query: QueryOf<R> },
    request: FastifyRequest,
    reply: FastifyReply,
  ) => void,
): void {
  serve(app, deps, route, async (request, reply) => {
    const actor = await deps.concurrency.pass(() => admit(deps, route, request))
    if (actor === undefined) throw new Error('a stream cannot be public')
    const params = route.params.parse({ ...(request.params as object) }) as ParamsOf<R>
    handler(actor, { params, query: readQuery(route, request) }, request, reply)
    if (actor.screen !== undefined) deps.screenLinks.follow(actor.screen.linkId, reply.raw)
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
  const url = route.path.replaceAll(/\{(\w+)\}/g, ':$1')
  const served = {
    method: route.method,
    url,
    handler,
    config: { limited: true, refusesLate: route.encoding === 'raw' },
  }
  // In a separate plugin without body parsers, because the signature covers the raw bytes.
  if (route.encoding === 'raw')
    void app.register(async (own) => {
      own.removeAllContentTypeParsers()
      own.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body))
      own.route({ ...served, bodyLimit: route.maxBytes })
    })
  else app.route(served)
}

/** The fixed fields of a screen link override the fields of the request. */
const confined = (actor: Actor | undefined, input: Input): Input =>
  actor?.screen === undefined ? input : { ...input, body: { ...(input.body as object), ...actor.screen.fixed } }

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

  const requireActor = (): Actor => {
    if (actor === undefined) throw new Error('a public route has no actor')
    return actor
  }
  const ask: RequestInput<AnyRoute> = {
    ...input,
    get actor() {
      return requireActor()
    },
  }
  const ctxOn = ({ db, client }: Transaction): Ctx<AnyRoute> => ({
    ...input,
    db,
    scope,
    get actor() {
      return requireActor()
    },
    request: {
      id: request.id,
      ip: addressOf(request),
      userAgent: (request.headers['user-agent'] ?? '').slice(0, 200),
      token: bearerToken(request),
    },
    enqueue: enqueueOn(deps.boss, client),
    afterCommit: (work) => later.push(work),
    auditAs: (who) => (subject = who),
    setAuditDetail: (text) => (detail = text),
    setMessage: (text) => (message = text),
  })
  const entry = (result: 0 | 1, reason: string | null): AuditEntry => {
    const plain = auditEntry(route, request, subject, started, result, reason)
    return detail === undefined ? plain : { ...plain, content: `${plain.content}：${detail}`.slice(0, 300) }
  }

  const prepareResult = await steps.prepare?.(ask)
  const undo = async () => {
    const failed = (error: unknown) => request.log.warn({ err: error }, 'undo of a refused request failed')
    if (steps.prepare !== undefined) await steps.undo?.(prepareResult).catch(failed)
  }
  const work = async (transaction: Transaction): Promise<Outcome<StoredReply | Refusal>> => {
    const { db, client } = transaction
    const first =
      key !== undefined && actor !== undefined ? await claimKey(db, deps.vault, actor, key, route, input) : undefined
    if (first !== undefined) return { commit: true, value: first }
    try {
      if (actor !== undefined && needsStepUp(route)) await assertStepUp({ db, actor })
      const whole: unknown = route.data.parse(await steps.handle(ctxOn(transaction), prepareResult))
      const data = actor?.screen === undefined ? whole : withoutPersons(route.data, whole)
      if (route.audit !== 'none') await appendAudit(client, entry(1, null))
      own = { message, data }
      if (key !== undefined && actor !== undefined) await storeReply(db, deps.vault, actor, key, own)
      return { commit: true, value: own }
    } catch (error) {
      if (!(error instanceof Refusal) || !error.keep) throw error
      if (key !== undefined && actor !== undefined) await releaseKey(db, actor, key)
      if (route.audit !== 'none') await appendAudit(client, entry(0, error.message))
      return { commit: true, value: error }
    }
  }

  // Without an audit entry the transaction collects no changed fields either.
  const writing = route.audit === 'none' ? 'record' : 'write'
  const mode = route.reads ? 'read' : writing
  const outcome = await inScope(deps.pool, scope, mode, work).catch(async (error: unknown) => {
    await undo()
    const refusal = refusalOf(error)
    if (refusal === undefined || refusal.status >= 500) throw error
    if (route.audit !== 'none' && refusal.status !== 422) await recordRefusal(deps, entry(0, refusal.message))
    if (refusal.revealsForeignRow && actor !== undefined) await countDuplicates(deps, actor)
    throw refusal
  })
  if (outcome !== own) await undo()
  for (const after of later) await after()
  if (outcome instanceof Refusal) throw outcome
  return { success: true, ...outcome }
}

const mostTaken = 30

/** Limits conflicts with other organisations' names per person and half hour, so that phones cannot be enumerated. */
async function countDuplicates({ pool }: Deps, { userId }: Actor): Promise<void> {
  const count = await countFirst(pool, (db) => countGuess(db, `taken:${userId}`, mostTaken))
  if (count === undefined) throw new Refusal(429, '重复的数据过多，请30分钟后再试', { retryAfterSeconds: 1800 })
}

/** A refusal rolls the transaction back, so its audit entry needs a separate one. */
async function recordRefusal(deps: Deps, entry: AuditEntry): Promise<void> {
  await inScope(deps.pool, systemScope, 'write', async ({ client }) => {
    await appendAudit(client, entry)
    return { commit: true, value: undefined }
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
    ip: addressOf(request),
    duration_ms: Math.round(performance.now() - started),
    result,
    reason,
    request_id: request.id,
  }
}
