import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type pg from 'pg'
import type { Actor } from '../auth/actor.ts'
import { addressOf } from '../http/address.ts'
import { inScope, commit } from '../db/db.ts'
import { Refusal } from '../http/refusal.ts'
import { scopeOf } from '../db/scope.ts'
import { systemScope } from '../db/system-scope.ts'
import type { Vault } from './vault.ts'

/** Accepted difference of a caller's clock. */
const skewMs = 300_000

type Reported = { method: string; url: string; timestamp: string; idempotencyKey: string; body: string }
/**
 * The signed text of a call to the open interface: method, path with query, time in milliseconds, Idempotency-Key and the
 * SHA-256 of the body. It covers the idempotency key, so that a replayed request has no further effect.
 */
const signedText = ({ method, url, timestamp, idempotencyKey, body }: Reported): string =>
  [method, url, timestamp, idempotencyKey, createHash('sha256').update(body).digest('hex')].join('\n')

export const signatureOf = (secret: string, signedParts: Reported): string =>
  createHmac('sha256', secret).update(signedText(signedParts)).digest('hex')

const headerOf = (request: FastifyRequest, name: string): string => {
  const value = request.headers[name]
  return typeof value === 'string' ? value : ''
}
const refused = () => new Refusal(401, '签名不正确')

type App = { id: string; organise_id: string; name: string; secret_sealed: string; old_secret_sealed: string | null }

/** Authenticates the program that signed a request. Its scope is that of its organisation. Refuses an invalid signature. */
export async function signedBy(pool: pg.Pool, vault: Vault, request: FastifyRequest): Promise<Actor> {
  const [key, timestamp] = [headerOf(request, 'x-app-key'), headerOf(request, 'x-timestamp')]
  const signature = headerOf(request, 'x-signature')
  if (!/^[\da-f]{32}$/.test(key) || !/^\d{13}$/.test(timestamp) || !/^[\da-f]{64}$/.test(signature)) throw refused()
  if (Math.abs(Date.now() - Number(timestamp)) > skewMs) throw new Refusal(401, '请求已过期，请校准时间')
  const app = await findApp(pool, key, addressOf(request))
  if (app === undefined) throw refused()
  const { method, url } = request
  const idempotencyKey = headerOf(request, 'idempotency-key')
  const signedParts = { method, url, timestamp, idempotencyKey, body: request.rawBody }
  const secrets = [app.secret_sealed, ...(app.old_secret_sealed === null ? [] : [app.old_secret_sealed])]
  const fits = secrets.some((sealed) =>
    timingSafeEqual(Buffer.from(signatureOf(vault.open(sealed), signedParts), 'hex'), Buffer.from(signature, 'hex')),
  )
  if (!fits) throw refused()
  return actorOf(app)
}

const findApp = (pool: pg.Pool, key: string, address: string) =>
  inScope(pool, systemScope, 'read', async ({ client }) => {
    const { rows } = await client.query<App>({
      name: 'signature.app',
      text: `select open_app.id, organise_id, open_app.name, secret_sealed,
          case when old_until > now() then old_secret_sealed end as old_secret_sealed
        from open_app join organise on organise.id = organise_id and organise.status = 1
        where app_key = $1 and open_app.status = 1 and (networks = '{}' or $2::inet <<= any (networks))`,
      values: [key, address],
    })
    return commit(rows[0])
  })

/** Actor of a program: no menus, no grants, no session. The audit log has its actions under its name. */
const actorOf = ({ id, organise_id, name }: App): Actor => ({
  sessionId: '0',
  // Idempotency keys are stored by user id. A negative id cannot collide with a user.
  userId: `-${id}`,
  userName: name,
  loginName: name,
  userType: 1,
  organiseId: organise_id,
  agentId: null,
  siteId: null,
  stage: 'full',
  actedBy: null,
  roleTopLevel: 99,
  unmask: false,
  roleCodes: [],
  menuKeys: [],
  grants: [],
  scope: scopeOf({ organiseId: organise_id, isPlatform: false, agentId: null, agentIds: [], siteId: null }),
})
