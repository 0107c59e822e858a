import type { Redis } from 'ioredis'
import type pg from 'pg'
import type { Actor } from './actor.ts'
import { inScope, commit } from '../db/db.ts'
import { scopeOf } from '../db/scope.ts'
import type { SessionSigner } from './session-signer.ts'
import { systemScope } from '../db/system-scope.ts'
import { sha256 } from './tokens.ts'

// A session found in PostgreSQL may be answered from memory and from Redis for this long, one after the other at
// worst: whatever is revoked or granted acts everywhere within a second, also when nobody could tell the caches.
const cacheMs = 400
const idle = '30 minutes'
const longest = '12 hours'

export type FoundPerson = {
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
type Found = FoundPerson & { session_id: string; stage: Actor['stage']; acted_by: string | null; stale: boolean }

/** Who somebody is and what they may do, read of `user_account person`. */
export const personColumns = `person.id as user_id, person.name as user_name, person.login_name, person.user_type,
  person.organise_id, person.agent_id, person.site_id,
  case when person.agent_id is null then '{}' else app.agents_below(person.agent_id) end as agent_ids,
  app.user_rights(person.id) as rights`

/**
 * Whether somebody may come in and act at all: neither they, nor their organisation, nor the agent they stand at has been
 * disabled or removed. For people of a site that is the agent of the site. Agents below have a switch of their own.
 */
export const mayEnter = (person: string) => `${person}.status = 1 and ${person}.deleted_at is null
  and organise.status = 1 and organise.deleted_at is null
  and not exists (select from agent where agent.id = ${person}.agent_id and (agent.status = 0 or agent.deleted_at is not null))`

/** Whether a session can still be used: it was not ended, and neither idle nor open for too long. */
export const isOpen = (session: string) => `${session}.ended_at is null
  and ${session}.last_seen_at > now() - interval '${idle}' and ${session}.created_at > now() - interval '${longest}'`

const find = {
  name: 'session.find',
  text: `select session.id as session_id, session.stage, session.acted_by, session.last_seen_at < now() - interval '1 minute' as stale,
      ${personColumns}
    from session join user_account person on person.id = session.user_id join organise on organise.id = person.organise_id
    where session.token_hash = $1 and ${isOpen('session')}
      and ${mayEnter('person')}`,
}

/** Who a token stands for. PostgreSQL is the record; Redis and memory only cache it, and an entry in Redis is signed. */
export class SessionStore {
  readonly #pool: pg.Pool
  readonly #redis: Redis
  readonly #prefix: string
  readonly #signer: SessionSigner
  readonly #memory = new Map<string, { actor: Actor; until: number }>()
  readonly #asked = new Map<string, { answer: Promise<Actor | undefined>; until: number }>()

  constructor(pool: pg.Pool, redis: Redis, prefix: string, signer: SessionSigner) {
    this.#pool = pool
    this.#redis = redis
    this.#prefix = prefix
    this.#signer = signer
  }

  /** Only what a person asks for keeps a session awake: not a stream that is open, nor a page that reads itself again. */
  async find(token: string, isAttended: boolean): Promise<Actor | undefined> {
    const hash = sha256(token)
    const key = hash.toString('base64')
    const held = this.#memory.get(key)
    if (held !== undefined && held.until > Date.now()) return held.actor
    // A page asks a dozen questions at once: who is asking is looked up for the first, and the others wait for that.
    const asked = this.#asked.get(key)
    if (asked !== undefined && asked.until > Date.now()) return asked.answer
    const asking = { answer: this.#lookUp(hash, key, isAttended), until: Date.now() + cacheMs }
    this.#asked.set(key, asking)
    try {
      return await asking.answer
    } finally {
      if (this.#asked.get(key) === asking) this.#asked.delete(key)
    }
  }

  async #lookUp(hash: Buffer, key: string, isAttended: boolean): Promise<Actor | undefined> {
    const actor = (await this.#fromRedis(key)) ?? (await this.#fromPostgres(hash, key, isAttended))
    if (actor === undefined) this.#memory.delete(key)
    else this.#remember(key, actor)
    return actor
  }

  /** After a revocation has committed: spares other copies the last moments of their caches. */
  async forget(tokenHashes: readonly Buffer[]): Promise<void> {
    const keys = tokenHashes.map((hash) => hash.toString('base64'))
    for (const key of keys) {
      this.#memory.delete(key)
      this.#asked.delete(key)
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
    // Redis away or slow is no reason to refuse anybody: PostgreSQL is asked instead.
    const entry = await this.#redis.get(this.#redisKey(key)).catch(() => null)
    const payload = entry === null ? undefined : this.#signer.read(this.#redisKey(key), entry)
    return payload === undefined ? undefined : (JSON.parse(payload) as Actor)
  }

  async #toRedis(key: string, actor: Actor): Promise<void> {
    const entry = this.#signer.sign(this.#redisKey(key), JSON.stringify(actor), Date.now() + cacheMs)
    await this.#redis.set(this.#redisKey(key), entry, 'PX', cacheMs).catch(() => undefined)
  }

  async #fromPostgres(hash: Buffer, key: string, isAttended: boolean): Promise<Actor | undefined> {
    const found = await inScope(this.#pool, systemScope, 'read', async ({ client }) => {
      const { rows } = await client.query<Found>({ ...find, values: [hash] })
      return commit(rows[0])
    })
    if (found === undefined) return undefined
    if (found.stale && isAttended) await this.#touch(found.session_id)
    const actor = actorOf(found)
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

export function actorOf(found: Found): Actor {
  return {
    sessionId: found.session_id,
    userId: found.user_id,
    userName: found.user_name,
    loginName: found.login_name,
    userType: found.user_type,
    organiseId: found.organise_id,
    agentId: found.agent_id,
    siteId: found.site_id,
    stage: found.stage,
    actedBy: found.acted_by,
    ...found.rights,
    scope: scopeOf({
      organiseId: found.organise_id,
      isPlatform: found.organise_id === '1',
      agentId: found.agent_id,
      agentIds: found.agent_ids,
      siteId: found.site_id,
    }),
  }
}
