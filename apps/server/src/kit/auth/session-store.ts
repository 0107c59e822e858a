import type { Redis } from 'ioredis'
import type pg from 'pg'
import type { Actor } from './actor.ts'
import { inScope, commit } from '../db/db.ts'
import { scopeOf } from '../db/scope.ts'
import type { SessionSigner } from './session-signer.ts'
import { systemScope } from '../db/system-scope.ts'
import { sha256 } from './tokens.ts'

// Redis and memory cache a session for this long each, at worst one after the other. A revocation or grant therefore
// takes effect everywhere within a second, even when the invalidation of the caches fails.
const cacheMs = 400
const idle = '30 minutes'
const longest = '12 hours'

export type PersonRow = {
  user_id: string
  user_name: string
  login_name: string
  user_type: Actor['userType']
  organise_id: string
  agent_id: string | null
  site_id: string | null
  agent_ids: string[]
  rights: Pick<Actor, 'roleTopLevel' | 'unmask' | 'roleCodes' | 'menuKeys' | 'grants'>
}
type Found = PersonRow & { session_id: string; stage: Actor['stage']; acted_by: string | null; stale: boolean }

/** Identity and rights of a person, selected from `user_account person`. */
export const personColumns = `person.id as user_id, person.name as user_name, person.login_name, person.user_type,
  person.organise_id, person.agent_id, person.site_id,
  case when person.agent_id is null then '{}' else app.agents_below(person.agent_id) end as agent_ids,
  app.user_rights(person.id) as rights`

/**
 * Whether a person may log in and act: neither they, nor their organisation, nor their agent has been disabled or removed.
 * For people of a site that is the agent of the site. The status of an agent does not affect the agents below it.
 */
export const isActivePersonSql = (person: string) => `${person}.status = 1 and ${person}.deleted_at is null
  and organise.status = 1 and organise.deleted_at is null
  and not exists (select from agent where agent.id = ${person}.agent_id and (agent.status = 0 or agent.deleted_at is not null))`

/** Whether a session is valid: not ended, and within the limits of idle time and total duration. */
export const isOpen = (session: string) => `${session}.ended_at is null
  and ${session}.last_seen_at > now() - interval '${idle}' and ${session}.created_at > now() - interval '${longest}'`

const find = {
  name: 'session.find',
  text: `select session.id as session_id, session.stage, session.acted_by, session.last_seen_at < now() - interval '1 minute' as stale,
      ${personColumns}
    from session join user_account person on person.id = session.user_id join organise on organise.id = person.organise_id
    where session.token_hash = $1 and ${isOpen('session')}
      and ${isActivePersonSql('person')}`,
}

/** Resolves tokens to actors. PostgreSQL is authoritative; Redis and memory cache it, and entries in Redis are signed. */
export class SessionStore {
  readonly #pool: pg.Pool
  readonly #redis: Redis
  readonly #prefix: string
  readonly #signer: SessionSigner
  readonly #memory = new Map<string, { actor: Actor; until: number }>()
  readonly #pending = new Map<string, { answer: Promise<Actor | undefined>; until: number }>()

  constructor(pool: pg.Pool, redis: Redis, prefix: string, signer: SessionSigner) {
    this.#pool = pool
    this.#redis = redis
    this.#prefix = prefix
    this.#signer = signer
  }

  /** Only attended requests extend a session: not an open stream, and not the automatic refresh of a page. */
  async find(token: string, isAttended: boolean): Promise<Actor | undefined> {
    const hash = sha256(token)
    const key = hash.toString('base64')
    const cached = this.#memory.get(key)
    if (cached !== undefined && cached.until > Date.now()) return cached.actor
    // A page sends a dozen requests at once. They share the lookup of the first.
    const pending = this.#pending.get(key)
    if (pending !== undefined && pending.until > Date.now()) return pending.answer
    const asking = { answer: this.#lookUp(hash, key, isAttended), until: Date.now() + cacheMs }
    this.#pending.set(key, asking)
    try {
      return await asking.answer
    } finally {
      if (this.#pending.get(key) === asking) this.#pending.delete(key)
    }
  }

  async #lookUp(hash: Buffer, key: string, isAttended: boolean): Promise<Actor | undefined> {
    const actor = (await this.#fromRedis(key)) ?? (await this.#fromPostgres(hash, key, isAttended))
    if (actor === undefined) this.#memory.delete(key)
    else this.#remember(key, actor)
    return actor
  }

  /** Runs after the commit of a revocation. Evicts the session from this instance and from Redis before the cache expires. */
  async forget(tokenHashes: readonly Buffer[]): Promise<void> {
    const keys = tokenHashes.map((hash) => hash.toString('base64'))
    for (const key of keys) {
      this.#memory.delete(key)
      this.#pending.delete(key)
    }
    if (keys.length > 0) await this.#redis.del(keys.map((key) => this.#redisKey(key))).catch(() => 0)
  }

  #redisKey(key: string) {
    return `${this.#prefix}:session:${key}`
  }

  #remember(key: string, actor: Actor): void {
    if (this.#memory.size > 20_000) this.#memory.clear()
    this.#memory.set(key, { actor, until: Date.now() + cacheMs })
  }

  async #fromRedis(key: string): Promise<Actor | undefined> {
    // A failure of Redis must not refuse a request; PostgreSQL is queried instead.
    const entry = await this.#redis.get(this.#redisKey(key)).catch(() => null)
    const payload = entry === null ? undefined : this.#signer.read(this.#redisKey(key), entry)
    return payload === undefined ? undefined : (JSON.parse(payload) as Actor)
  }

  async #toRedis(key: string, actor: Actor): Promise<void> {
    const entry = this.#signer.sign(this.#redisKey(key), JSON.stringify(actor), Date.now() + cacheMs)
    await this.#redis.set(this.#redisKey(key), entry, 'PX', cacheMs).catch(() => undefined)
  }

  async #fromPostgres(hash: Buffer, key: string, isAttended: boolean): Promise<Actor | undefined> {
    const row = await inScope(this.#pool, systemScope, 'read', async ({ client }) => {
      const { rows } = await client.query<Found>({ ...find, values: [hash] })
      return commit(rows[0])
    })
    if (row === undefined) return undefined
    if (row.stale && isAttended) await this.#touch(row.session_id)
    const actor = actorOf(row)
    await this.#toRedis(key, actor)
    return actor
  }

  async #touch(sessionId: string): Promise<void> {
    await inScope(this.#pool, systemScope, 'write', async ({ db }) => {
      await db
        .updateTable('session')
        .set({ last_seen_at: new Date().toISOString() })
        .where('id', '=', sessionId)
        .execute()
      return commit(undefined)
    })
  }
}

export function actorOf(row: Found): Actor {
  return {
    sessionId: row.session_id,
    userId: row.user_id,
    userName: row.user_name,
    loginName: row.login_name,
    userType: row.user_type,
    organiseId: row.organise_id,
    agentId: row.agent_id,
    siteId: row.site_id,
    stage: row.stage,
    actedBy: row.acted_by,
    ...row.rights,
    scope: scopeOf({
      organiseId: row.organise_id,
      isPlatform: row.organise_id === '1',
      agentId: row.agent_id,
      agentIds: row.agent_ids,
      siteId: row.site_id,
    }),
  }
}
