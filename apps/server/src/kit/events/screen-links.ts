import type { ServerResponse } from 'node:http'
import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import type { ScreenEvent } from '@wattdeck/contract/dashboard/big-screen-orders.ts'
import { screenScheme } from '@wattdeck/contract/dashboard/screen-link.ts'
import type { FastifyRequest } from 'fastify'
import type pg from 'pg'
import type { Actor } from '../auth/actor.ts'
import { AddressLimit } from '../http/address-limit.ts'
import { ShortLivedCache } from '../http/brief-answers.ts'
import { inScope, commit } from '../db/db.ts'
import { forbidden, Refusal } from '../http/refusal.ts'
import { scopeOf } from '../db/scope.ts'
import type { ScreenSigner } from '../crypto/screen-signer.ts'
import { systemScope } from '../db/system-scope.ts'
import { sha256 } from '../auth/tokens.ts'

// A link is cached for this long, and the links of open streams are checked at this interval. A revocation therefore takes
// effect everywhere within a second, even without a notification.
const cacheMs = 400
/** A wallboard has about twenty panels, each of which polls every one or two seconds. Several wallboards may share a link. */
const perWallboard = 1500
const perLink = 6000
const wrongTokens = 300
const revoked: ScreenEvent = { kind: 'revoked' }

type Link = {
  id: string
  organise_id: string
  name: string
  first_class: string | null
  province_code: string | null
  city_code: string | null
  district_code: string | null
  stale: boolean
}

/** A link is valid when it is neither expired nor revoked and its organisation is active. */
const isGood = `revoked_at is null and expires_at > now() and organise.status = 1 and organise.deleted_at is null`

/** The screen token of a request, or undefined for any other kind of caller. */
export const screenTokenOf = (request: FastifyRequest): string | undefined => {
  const [scheme, token = ''] = (request.headers.authorization ?? '').split(' ')
  return scheme === screenScheme ? token : undefined
}

/**
 * Access to an organisation's figures by link, without an account. A link may only call reading routes that are expressly
 * open to screens, in the scope of that organisation.
 */
export class ScreenLinks {
  readonly #pool: pg.Pool
  readonly signer: ScreenSigner
  readonly #known = new ShortLivedCache<Actor | undefined>(cacheMs)
  readonly #streams = new Map<ServerResponse, string>()
  readonly #wallboards = new AddressLimit(perWallboard)
  readonly #links = new AddressLimit(perLink)
  readonly #wrong = new AddressLimit(wrongTokens)
  #watch: NodeJS.Timeout | undefined
  #refreshing = false

  constructor(pool: pg.Pool, signer: ScreenSigner) {
    this.#pool = pool
    this.signer = signer
  }

  async admit(route: AnyRoute, token: string, ip: string): Promise<Actor> {
    const actor = await this.#find(token)
    if (actor?.screen === undefined) {
      this.#wrong.count(ip)
      throw new Refusal(401, '大屏链接已失效')
    }
    const { linkId, fixed } = actor.screen
    this.#wallboards.count(`${linkId} ${ip}`)
    this.#links.count(linkId)
    if (!isOpen(route, Object.keys(fixed))) throw forbidden()
    return actor
  }

  /** Ends the stream as soon as its link is no longer valid. */
  follow(linkId: string, stream: ServerResponse): void {
    if (stream.destroyed) return
    this.#streams.set(stream, linkId)
    // A write after the end of the stream is not a fault.
    stream.on('error', () => undefined)
    stream.on('close', () => {
      this.#streams.delete(stream)
      if (this.#streams.size === 0) this.close()
    })
    this.#watch ??= setInterval(() => {
      // One query at a time: on a slow database they would use up its connections.
      if (this.#refreshing) return
      this.#refreshing = true
      void this.#endStreams().finally(() => (this.#refreshing = false))
    }, cacheMs).unref()
  }

  close(): void {
    clearInterval(this.#watch)
    this.#watch = undefined
  }

  async #endStreams(): Promise<void> {
    const ids = [...new Set(this.#streams.values())]
    // While PostgreSQL is unavailable no link can be revoked, and every call is refused.
    const good = await this.#goodOf(ids).catch(() => new Set(ids))
    for (const [stream, linkId] of this.#streams)
      if (ids.includes(linkId) && !good.has(linkId)) stream.end(`data: ${JSON.stringify(revoked)}\n\n`)
  }

  #goodOf(ids: readonly string[]): Promise<Set<string>> {
    return inScope(this.#pool, systemScope, 'read', async ({ client }) => {
      const { rows } = await client.query<{ id: string }>({
        name: 'screen.good',
        text: `select screen_link.id from screen_link join organise on organise.id = organise_id
          where screen_link.id = any($1) and ${isGood}`,
        values: [ids],
      })
      return commit(new Set(rows.map(({ id }) => id)))
    })
  }

  /** The panels of a wallboard send requests at once. They share one lookup. */
  async #find(token: string): Promise<Actor | undefined> {
    const claims = this.signer.read(token)
    if (claims === undefined) return undefined
    return this.#known.get(token, () => this.#look(token, claims.organiseId))
  }

  async #look(token: string, organiseId: string): Promise<Actor | undefined> {
    const link = await inScope(this.#pool, systemScope, 'read', async ({ client }) => {
      const { rows } = await client.query<Link>({
        name: 'screen.find',
        text: `select screen_link.id, organise_id, screen_link.name, first_class, screen_link.province_code,
            screen_link.city_code, screen_link.district_code,
            coalesce(last_used_at < now() - interval '1 minute', true) as stale
          from screen_link join organise on organise.id = organise_id
          where token_hash = $1 and organise_id = $2 and ${isGood}`,
        values: [sha256(token), organiseId],
      })
      return commit(rows[0])
    })
    if (link?.stale === true) await this.#touch(link.id)
    return link && actorOf(link)
  }

  async #touch(linkId: string): Promise<void> {
    await inScope(this.#pool, systemScope, 'record', async ({ client }) => {
      await client.query({
        name: 'screen.touch',
        text: 'update screen_link set last_used_at = now() where id = $1',
        values: [linkId],
      })
      return commit(undefined)
    })
  }
}

/**
 * A route must declare access for screens and only read. The fixed fields of the link must be fields of the route's body;
 * otherwise the route would return unrestricted data.
 */
function isOpen({ access, encoding, body, reads }: AnyRoute, fixed: readonly string[]): boolean {
  if (typeof access !== 'object' || access.screen !== true || !reads) return false
  const { shape = {} } = body as { shape?: object }
  return encoding === 'sse' || fixed.every((name) => name in shape)
}

/** Actor of a link: no menus, no grants, no session, and never the scope of the platform. */
function actorOf(link: Link): Actor {
  const fixed = {
    ...(link.first_class === null ? {} : { deviceFirstClass: link.first_class }),
    ...(link.province_code === null ? {} : { province: link.province_code }),
    ...(link.city_code === null ? {} : { city: link.city_code }),
    ...(link.district_code === null ? {} : { district: link.district_code }),
  }
  return {
    sessionId: '0',
    userId: `-${link.id}`,
    userName: link.name,
    loginName: '',
    userType: 1,
    organiseId: link.organise_id,
    agentId: null,
    siteId: null,
    stage: 'full',
    actedBy: null,
    roleTopLevel: 99,
    unmask: false,
    roleCodes: [],
    menuKeys: [],
    grants: [],
    scope: scopeOf({ organiseId: link.organise_id, isPlatform: false, agentId: null, agentIds: [], siteId: null }),
    screen: { linkId: link.id, fixed },
  }
}
