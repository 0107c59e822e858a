import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { text as readText } from 'node:stream/consumers'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Logger } from 'pino'
import { Gauge } from 'prom-client'
import { inScope, commit } from '../db/db.ts'
import type { Files } from '../files/files.ts'
import { Refusal } from '../http/refusal.ts'
import { systemScope } from '../db/system-scope.ts'

const compareAtOnce = 1000
const hourMs = 3_600_000
/** How many hours back the newest file is searched. */
const searchHours = 14 * 24
/** Partitions of the log are dropped after 400 days, so the entry of an older head may be missing. */
const logDays = 395

type Head = { chain: 'audit' | 'ledger'; organiseId: string; no: string; hash: string }
type Published = { at: string; before: string | null; heads: Head[] }
type HeadBreak = {
  file: string
  what: 'unsigned' | 'missing' | 'differs'
  organiseId?: string
  chain?: string
  no?: string
}

type Keys = {
  /** 'id:base64 of 32 bytes', newest first; keys of heads are derived from these. */
  secretKeys: readonly string[]
  /** Derived keys whose secret has been removed. They only verify. */
  headKeys: readonly string[]
}

/** Signs files with keys that the database does not hold. The newest key signs, all keys verify. */
export class HeadSigner {
  readonly #keys: readonly Buffer[]
  constructor({ secretKeys, headKeys }: Keys) {
    if (secretKeys.length === 0) throw new Error('SECRET_KEYS is empty: run npm run setup, or set it')
    this.#keys = [...secretKeys.map((entry) => derived(keyOf(entry))), ...headKeys.map(keyOf)]
  }

  sign(name: string, published: Published): string {
    const content = JSON.stringify(published)
    const [key = Buffer.alloc(0)] = this.#keys
    return `${macOf(key, name, content).toString('base64url')}\n${content}`
  }

  /** Returns the content of a file, or undefined when none of the keys has signed it under this name. */
  read(name: string, file: string): Published | undefined {
    const at = file.indexOf('\n')
    const [mac, content] = [Buffer.from(file.slice(0, Math.max(0, at)), 'base64url'), file.slice(at + 1)]
    const isOurs = this.#keys.some((key) => mac.length === 32 && timingSafeEqual(macOf(key, name, content), mac))
    return isOurs ? (JSON.parse(content) as Published) : undefined
  }
}

/** Returns the keys of heads in the format of HEAD_KEYS, so that published files outlive the keys they are derived from. */
export const headKeysOf = (secretKeys: readonly string[]): string[] =>
  secretKeys.map((entry) => `${entry.split(':')[0]}:${derived(keyOf(entry)).toString('base64')}`)

function keyOf(entry: string): Buffer {
  const key = Buffer.from(entry.split(':')[1] ?? '', 'base64')
  if (key.length !== 32) throw new Error('SECRET_KEYS and HEAD_KEYS must be lists of id:base64 of 32 bytes')
  return key
}

const derived = (secret: Buffer) => Buffer.from(hkdfSync('sha256', secret, '', 'wattdeck chain heads', 32))

const macOf = (key: Buffer, name: string, content: string) =>
  createHmac('sha256', key).update(`${name}\n${content}`).digest()

/** The object store for published heads. The prefix separates installations that share a bucket. */
export type HeadStore = { files: Files; prefix: string; signer: HeadSigner }

const nameOf = ({ prefix }: HeadStore, ms: number) => `heads/${prefix}/${new Date(ms).toISOString().slice(0, 13)}`

const readFile = ({ files }: HeadStore, name: string): Promise<string | undefined> =>
  files.getStream(name).then(
    ({ body }) => readText(body),
    (error: unknown) => {
      if (error instanceof Refusal && error.status === 404) return undefined
      throw error
    },
  )

/** Searches backwards, hour by hour, for the newest file. */
async function newestFile(store: HeadStore, fromMs: number): Promise<string | undefined> {
  for (let back = 0; back < searchHours; back++) {
    const name = nameOf(store, fromMs - back * hourMs)
    if ((await readFile(store, name)) !== undefined) return name
  }
  return undefined
}

/**
 * Writes the newest hash of every audit and ledger chain to the object store, once an hour. The owner of the database can
 * rewrite a chain consistently; the heads published before then no longer match it.
 */
export async function publishHeads(pool: pg.Pool, store: HeadStore, nowMs = Date.now()): Promise<number> {
  const name = nameOf(store, nowMs)
  const before = await newestFile(store, nowMs)
  if (before === name) return 0
  const heads = await readHeads(pool)
  const published = { at: new Date(nowMs).toISOString(), before: before ?? null, heads }
  await store.files.put(name, Buffer.from(store.signer.sign(name, published)), 'application/json')
  return heads.length
}

const readHeads = (pool: pg.Pool): Promise<Head[]> =>
  inScope(pool, systemScope, 'read', async ({ db }) => {
    const { rows } = await sql<Head>`
      select 'audit' as chain, organise_id as "organiseId", seq::text as no, encode(hash, 'hex') as hash
      from audit_chain
      where seq > 0
      union all
      select 'ledger', block.organise_id, block.no::text, encode(block.hash, 'hex')
      from organise, lateral (
        select * from ledger_block where organise_id = organise.id order by no desc limit 1
      ) as block`.execute(db)
    return commit(rows)
  })

/**
 * Compares the newest files, or all of them, with the database. Each file names the one before it. A break raises an
 * alarm; nothing is repaired.
 */
export async function proveHeads(pool: pg.Pool, store: HeadStore, most = Number.POSITIVE_INFINITY) {
  const breaks: HeadBreak[] = []
  let [files, heads] = [0, 0]
  let name = (await newestFile(store, Date.now())) ?? null
  while (name !== null && files < most) {
    const file: string = name
    const text = await readFile(store, file)
    const published = text === undefined ? undefined : store.signer.read(file, text)
    if (published === undefined) {
      breaks.push({ file, what: text === undefined ? 'missing' : 'unsigned' })
      break
    }
    files++
    heads += published.heads.length
    for (let from = 0; from < published.heads.length; from += compareAtOnce) {
      const differing = await compare(pool, published.heads.slice(from, from + compareAtOnce), published.at)
      breaks.push(
        ...differing.map(({ organiseId, chain, no }) => ({ file, what: 'differs' as const, organiseId, chain, no })),
      )
    }
    name = published.before
  }
  return { files, heads, breaks }
}

const broken = new Gauge({
  name: 'published_head_breaks',
  help: 'Published heads that did not match the database at the last comparison',
})
/** Two days, with one file an hour. */
const nightly = 48

/** Runs every night over two days of files; `npm run heads:prove` compares all. Returns the number of heads compared. */
export async function watchHeads(pool: pg.Pool, log: Logger, store: HeadStore): Promise<number> {
  const { heads, breaks } = await proveHeads(pool, store, nightly)
  broken.set(breaks.length)
  for (const headBreak of breaks.slice(0, 100)) log.error(headBreak, 'published chain head does not match the database')
  return heads
}

const compare = (pool: pg.Pool, heads: Head[], at: string): Promise<Head[]> =>
  inScope(pool, systemScope, 'read', async ({ db }) => {
    const { rows } = await sql<Head>`
      select said.chain, said.organise_id as "organiseId", said.no::text as no, said.hash
      from unnest(${heads.map(({ chain }) => chain)}::text[], ${heads.map(({ organiseId }) => organiseId)}::bigint[],
        ${heads.map(({ no }) => no)}::bigint[], ${heads.map(({ hash }) => hash)}::text[]) as said (chain, organise_id, no, hash)
      left join audit_log entry on said.chain = 'audit' and entry.organise_id = said.organise_id and entry.seq = said.no
      left join ledger_block block on said.chain = 'ledger' and block.organise_id = said.organise_id and block.no = said.no
      where coalesce(entry.hash, block.hash) is distinct from decode(said.hash, 'hex')
        and not (said.chain = 'audit' and entry.hash is null and ${at}::timestamptz < now() - make_interval(days => ${logDays}))`.execute(
      db,
    )
    return commit(rows)
  })
