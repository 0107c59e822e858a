import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import type { FastifyRequest } from 'fastify'
import type pg from 'pg'
import { mayAct } from './job-actor.ts'
import type { Actor } from './actor.ts'
import { addressOf } from '../http/address.ts'
import { AddressLimit } from '../http/address-limit.ts'
import { forbidden, Refusal } from '../http/refusal.ts'
import { type ScreenLinks, screenTokenOf } from '../events/screen-links.ts'
import type { SessionStore } from './session-store.ts'
import { signedBy } from '../crypto/signature.ts'
import type { Vault } from '../crypto/vault.ts'

/** Dependencies for authentication. */
export type AuthDeps = {
  pool: pg.Pool
  sessions: SessionStore
  screenLinks: ScreenLinks
  vault: Vault
  /** Limits calls to routes without login, and failed authentication. */
  publicLimit: AddressLimit
  strangerLimit: AddressLimit
}

/**
 * A payment provider sends the notices of all its payers from few addresses, so this limit is high. It is kept in memory.
 * The provider retries a refused notice.
 */
const webhookLimit = new AddressLimit(6000, 300)

export const bearerToken = (request: FastifyRequest) =>
  /^Bearer ([\w-]{43})$/.exec(request.headers.authorization ?? '')?.[1] ?? ''

/** An idle console sends x-unattended. Its automatic requests do not extend the session, and neither does a stream. */
const isAttended = (route: AnyRoute, request: FastifyRequest) =>
  route.encoding !== 'sse' && request.headers['x-unattended'] === undefined

/** Denies by default: refuses every request that the route's access does not expressly admit. */
export async function admit(deps: AuthDeps, route: AnyRoute, request: FastifyRequest): Promise<Actor | undefined> {
  const { access } = route
  const screen = screenTokenOf(request)
  if (screen !== undefined) return deps.screenLinks.admit(route, screen, addressOf(request))
  if (route.encoding === 'raw') {
    webhookLimit.count(addressOf(request))
    return undefined
  }
  if (access === 'public') {
    deps.publicLimit.count(addressOf(request))
    return undefined
  }
  if (access === 'signed') {
    deps.strangerLimit.check(addressOf(request))
    return signedBy(deps.pool, deps.vault, request).catch((error: unknown) => {
      deps.strangerLimit.count(addressOf(request))
      throw error
    })
  }
  const token = bearerToken(request)
  // A token cannot be guessed. The limit only saves the database lookups of invalid tokens.
  if (token !== '') deps.strangerLimit.check(addressOf(request))
  const actor = token === '' ? undefined : await deps.sessions.find(token, isAttended(route, request))
  if (actor === undefined && token !== '') deps.strangerLimit.count(addressOf(request))
  if (actor === undefined) throw new Refusal(401, '您还未登录，请先登录！')
  if (access === 'partial') return actor
  if (actor.stage !== 'full') throw new Refusal(401, '请先完成登录验证')
  if (access === 'anyone') return actor
  if (!mayAct(actor, access)) throw forbidden()
  return actor
}
