import { readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import helmet from '@fastify/helmet'
import multipart from '@fastify/multipart'
import fastifyStatic from '@fastify/static'
import type { NatsConnection } from '@nats-io/transport-node'
import { allRoutes } from '@wattdeck/contract/all-routes.ts'
import Fastify, { LogController, type FastifyInstance, type FastifyReply } from 'fastify'
import { Redis } from 'ioredis'
import { Histogram } from 'prom-client'
import { pagePolicy } from '@wattdeck/domain/page-policy.ts'
import { implementFeatures } from './features.ts'
import { connectBus } from '@wattdeck/bus/bus.ts'
import { addressOf } from '../kit/http/address.ts'
import { AddressLimit } from '../kit/http/address-limit.ts'
import { CodeSigner } from '../kit/crypto/code-signer.ts'
import type { Config } from '../kit/ops/config.ts'
import { createPool } from '../kit/db/db.ts'
import { readDeviceAuthority } from '../kit/crypto/device-ca.ts'
import { Files } from '../kit/files/files.ts'
import { parseFields } from '../kit/http/forms.ts'
import { ConcurrencyLimit, refuseWhenFull } from '../kit/http/concurrency-limit.ts'
import { handleErrors } from '../kit/http/handle-errors.ts'
import { RefusalDelay } from '../kit/http/refusal-delay.ts'
import type { Deps } from '../kit/http/http.ts'
import { startJobClient } from '../kit/jobs/jobs.ts'
import { LiveHub } from '../kit/events/live.ts'
import { refuseForeignLedger } from '../kit/db/own-cluster.ts'
import { relyingPartyOf } from '../kit/auth/passkeys.ts'
import { measurePool } from '../kit/ops/pool-metrics.ts'
import { startProbe } from '../kit/ops/probe.ts'
import { WallboardHub } from '../kit/events/wallboard-hub.ts'
import { openApiDocument } from '../kit/http/openapi.ts'
import { ScreenSigner } from '../kit/crypto/screen-signer.ts'
import { ScreenLinks } from '../kit/events/screen-links.ts'
import { SessionSigner } from '../kit/auth/session-signer.ts'
import { SignerClient } from '../kit/crypto/signer-client.ts'
import { SessionStore } from '../kit/auth/session-store.ts'
import { Vault } from '../kit/crypto/vault.ts'
import { Merchants } from '../core/payments/merchants.ts'

const duration = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Response time by route and status',
  labelNames: ['route', 'status'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
})

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- merged with Fastify's own
  interface FastifyRequest {
    rawBody: string
  }
  // oxlint-disable-next-line typescript/consistent-type-definitions -- merged with Fastify's own
  interface FastifyContextConfig {
    /** A request of the route needs a slot, see kit/http/concurrency-limit.ts. */
    limited?: boolean
    /** The route delays every refusal, see kit/http/refusal-delay.ts. */
    refusesLate?: boolean
  }
}

export type Api = {
  app: FastifyInstance
  deps: Deps
  ready: () => Promise<Record<string, boolean>>
  /** Runs before the shutdown: from now on every response closes its connection. */
  drain: () => void
}

export async function buildApi(config: Config): Promise<Api> {
  const app = Fastify({
    logger: { name: 'api', level: config.logLevel, redact: ['req.headers.authorization', 'err.config', '*.password'] },
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustProxy,
    bodyLimit: 1024 * 1024,
    genReqId: (request) => readRequestId(request.headers['x-request-id']) ?? crypto.randomUUID(),
    // The query string is parsed with the rest of the input, where a refusal is possible.
    routerOptions: { querystringParser: (text) => ({ text }), maxParamLength: 100 },
    frameworkErrors: (error, _, reply: FastifyReply) => {
      void reply.status(error.statusCode ?? 400).send({ success: false, message: '请求的地址不正确', data: null })
    },
    // Disconnects clients that send headers or a body slowly. By default Node checks only every 30 seconds.
    requestTimeout: 15_000,
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 1000 },
    forceCloseConnections: 'idle',
    // Requests on open connections are served during the shutdown.
    return503OnClosing: false,
  })
  const pool = createPool(config.apiDatabaseUrl, config.poolSize, 'wattdeck-api')
  measurePool('api', pool)
  await refuseForeignLedger(pool).catch(async (error: unknown) => {
    await pool.end()
    throw error
  })
  const probe = startProbe(config.apiDatabaseUrl, app.log)
  const redis = new Redis(config.redisUrl, {
    maxRetriesPerRequest: 1,
    commandTimeout: 200,
    enableOfflineQueue: false,
    lazyConnect: true,
  })
  redis.on('error', () => undefined) // sessions use PostgreSQL meanwhile
  await redis.connect().catch(() => undefined)
  const boss = await startJobClient(pool, (error) => app.log.error({ err: error }, 'job queue error'))
  const sessions = new SessionStore(pool, redis, config.prefix, new SessionSigner(config.secretKeys))
  const deps: Deps = {
    pool,
    redis,
    boss,
    sessions,
    screens: new WallboardHub(),
    screenLinks: new ScreenLinks(pool, new ScreenSigner(config.secretKeys)),
    concurrency: new ConcurrencyLimit(config.maxInFlight),
    vault: new Vault(config.secretKeys),
    files: new Files(config.files),
    pdfFont: config.pdfFont,
    codes: new CodeSigner({ ...config.codes, secretKeys: config.secretKeys }),
    deviceAuthority: readDeviceAuthority(config.deviceCa),
    signer: new SignerClient(config.prefix),
    publicLimit: new AddressLimit(config.publicPerMinute),
    strangerLimit: new AddressLimit(10 * config.publicPerMinute),
    secondFactorLevel: config.secondFactorLevel,
    relyingParty: relyingPartyOf(config.consoleUrl),
    sessionsPerPerson: config.sessionsPerPerson,
    commandsWithoutApproval: config.commandsWithoutApproval,
    alipay: {
      authoriseUrl: config.alipay.authoriseUrl,
      appId: config.alipay.appId,
      returnUrl: `${config.consoleUrl}/alipaySuccess`,
    },
    refusals: new RefusalDelay(config.refusalWaitMs),
    implemented: new Set(),
  }
  const live = new LiveHub(sessions)

  refuseWhenFull(app, deps.concurrency)
  measure(app)
  handleErrors(app, deps.refusals)
  // The unparsed body, which the signature of programs covers.
  app.decorateRequest('rawBody', '')
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (request, body, done) => {
    try {
      request.rawBody = String(body)
      done(null, parseFields(request.rawBody))
    } catch (error) {
      done(error as Error)
    }
  })
  await app.register(multipart) // each route has its own limits, see kit/http/uploads.ts
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        ...pagePolicy(config.sentryOrigin),
        'frame-ancestors': ["'none'"],
        ...(config.policyReportUrl === '' ? {} : { 'report-uri': [config.policyReportUrl] }),
      },
    },
    strictTransportSecurity: { maxAge: 31_536_000 },
  })
  let draining = false
  app.addHook('onSend', async (request, reply) => {
    if (draining) reply.header('connection', 'close')
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    reply.header('x-request-id', request.id)
    reply.header('permissions-policy', permissionsPolicy)
  })

  implementFeatures(app, deps, live, new Merchants(undefined, config.pay))
  const partnerDocument = openApiDocument((route) => route.access === 'signed')
  const missing = allRoutes.filter(({ route }) => !deps.implemented.has(route))
  if (missing.length > 0) throw new Error(`not implemented: ${missing.map(({ route }) => route.path).join(', ')}`)
  app.get('/openapi.json', () => partnerDocument)
  if (config.consoleDir !== '') await serveConsole(app, config.consoleDir)

  let bus: NatsConnection | undefined
  const connecting = connectBus(config.natsUrl, config.natsAccess, 'api').then((connection) => {
    bus = connection
    deps.signer.connect(connection)
    return Promise.all([live.listen(connection, config.prefix), deps.screens.listen(connection, config.prefix)])
  })
  connecting.catch((error: unknown) => app.log.error({ err: error }, 'NATS connection failed'))
  app.addHook('preClose', async () => {
    live.close()
    deps.screens.close()
    deps.screenLinks.close()
    sweepConnections(app, deps.concurrency)
  })
  app.addHook('onClose', async () => {
    await boss.stop({ graceful: false })
    deps.files.close()
    await bus?.close()
    redis.disconnect()
    await probe.stop()
    await pool.end()
  })
  const ready = async () => ({ postgres: probe.isReady() })
  const drain = () => {
    draining = true
  }
  return { app, deps, ready, drain }
}

/** The console scans codes with the camera and needs no other browser feature. */
const permissionsPolicy = 'camera=(self), geolocation=(), microphone=(), payment=(), usb=(), display-capture=()'

const readRequestId = (header: string | string[] | undefined) =>
  typeof header === 'string' && /^[\w-]{8,64}$/.test(header) ? header : undefined

function measure(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    duration.observe({ route, status: reply.statusCode }, reply.elapsedTime / 1000)
    request.log.info(
      {
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        ip: addressOf(request),
      },
      'answered',
    )
  })
}

/**
 * Closes connections during the shutdown. A kept-alive connection is closed as soon as it is idle. Node does not count a
 * connection without any request as idle; it is closed after one second without work.
 */
function sweepConnections(app: FastifyInstance, concurrency: ConcurrencyLimit): void {
  let quietTicks = 0
  setInterval(() => {
    quietTicks = concurrency.isEmpty ? quietTicks + 1 : 0
    if (quietTicks > 10) app.server.closeAllConnections()
    else app.server.closeIdleConnections()
  }, 100).unref()
}

/** Serves the built console: files by name, and index.html for every path of the console. */
async function serveConsole(app: FastifyInstance, dir: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: dir,
    prefix: '/',
    index: false,
    wildcard: false,
    immutable: true,
    maxAge: '365d',
    // All other files have a content hash in their name; an operator may replace the maps.
    setHeaders: (reply, path) => {
      if (path.startsWith(join(dir, 'maps') + sep)) void reply.header('cache-control', 'no-cache')
    },
  })
  const page = readFileSync(`${dir}/index.html`)
  app.get('/*', (request, reply) => {
    // A missing file must be a 404: a console of an older release would load the page as its script.
    if (/^\/(?:(?:seeker|order|wechat|open)\/api|maps|assets)\//.test(request.url)) return reply.callNotFound()
    return reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(page)
  })
}
