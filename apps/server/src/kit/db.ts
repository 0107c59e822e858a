import type { Socket } from 'node:net'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import pg from 'pg'
import type { DB } from './db.gen.ts'
import type { Scope } from './scope.ts'

export type Db = Kysely<DB>

// Times leave the database as 'YYYY-MM-DD HH:mm:ss' of the session's zone, Asia/Shanghai; int8 stays text.
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (value) => value.slice(0, 19))

export function createPool(connectionString: string, max: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max,
    // Waiting longer than this for a connection is overload: the request is answered 503.
    connectionTimeoutMillis: 3000,
    // A new one costs PostgreSQL a process, and every statement must be planned on it again.
    idleTimeoutMillis: 300_000,
    pipeline: true,
    options:
      '-c statement_timeout=5000 -c lock_timeout=3000 -c idle_in_transaction_session_timeout=10000 -c timezone=Asia/Shanghai',
  } as pg.PoolConfig)
  pool.on('error', () => undefined) // a broken idle connection is replaced; the next query reports if the server is gone
  // One that breaks between two queries of a transaction has nobody to tell yet; the next query reports it.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/**
 * Opens all connections, so that a burst right after the start, or the load of a copy that stops, does not wait for them.
 * One that does not come now is opened when it is needed.
 */
export async function fillPool(pool: pg.Pool): Promise<void> {
  const opened = await Promise.allSettled(Array.from({ length: pool.options.max }, () => pool.connect()))
  for (const one of opened) if (one.status === 'fulfilled') one.value.release()
}

// Statement names by text: each text is parsed and planned once a connection. Queries must keep stable texts
// ('= any($1)' instead of an IN list), which also keeps this table small. The code that a partial index is about is no
// parameter but sql.lit: a plan that is kept cannot use the index otherwise, and reads everything that is over and done.
// Nor is a column compared with coalesce(...), or with a function of another table's column: behind row security
// PostgreSQL takes these for functions that may tell what they saw, and reads every row before it compares. CASE does the
// work of coalesce, or a sub-select around it; a function is given a parameter.
const statementNames = new Map<string, string>()
function statementName(text: string): string {
  let name = statementNames.get(text)
  if (name === undefined) {
    name = `q${statementNames.size}`
    statementNames.set(text, name)
  }
  return name
}

class ClientConnection implements DatabaseConnection {
  readonly #client: pg.PoolClient
  constructor(client: pg.PoolClient) {
    this.#client = client
  }
  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { sql: text, parameters } = query
    const result = await this.#client.query({ name: statementName(text), text, values: [...parameters] })
    return { rows: result.rows as R[], numAffectedRows: BigInt(result.rowCount ?? 0) }
  }
  // oxlint-disable-next-line require-yield -- Kysely asks for the method; nothing here streams
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('streaming goes through exports, not through a request')
  }
}

const made = new WeakMap<pg.PoolClient, Db>()

/** A Kysely that runs on one connection and opens no transaction of its own: the request owns it. Made once a connection. */
function kyselyOn(client: pg.PoolClient): Db {
  const known = made.get(client)
  if (known !== undefined) return known
  const connection = new ClientConnection(client)
  const refuse = () => Promise.reject(new Error('the request owns the transaction'))
  const driver: Driver = {
    init: () => Promise.resolve(),
    acquireConnection: () => Promise.resolve(connection),
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    releaseConnection: () => Promise.resolve(),
    destroy: () => Promise.resolve(),
  }
  const db = new Kysely<DB>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driver,
      createIntrospector: (own) => new PostgresIntrospector(own),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
  made.set(client, db)
  return db
}

const scopeSettings = (scope: Scope) => ({
  scope_level: String(scope.level),
  organise_id: scope.organiseId,
  agent_ids: `{${scope.agentIds.join(',')}}`,
  site_ids: `{${scope.siteIds.join(',')}}`,
})

/** As text, because it travels with 'begin' in one message; it holds digits and commas and can hold nothing else. */
function scopeText(scope: Scope): string {
  return Object.entries(scopeSettings(scope))
    .map(([name, value]) => {
      if (!/^(\d+|\{[\d,]*\})$/.test(value)) throw new Error(`${name} is no part of a scope`)
      return `set local app.${name} = '${value}'`
    })
    .join('; ')
}

/** Changes the scope of a running transaction. Only kit code that puts the old one back may do that. */
export async function applyScope(db: Db, scope: Scope): Promise<void> {
  const text = `select set_config('app.scope_level', $1, true), set_config('app.organise_id', $2, true),
    set_config('app.agent_ids', $3, true), set_config('app.site_ids', $4, true)`
  await db.executeQuery(CompiledQuery.raw(text, Object.values(scopeSettings(scope))))
}

export type Transaction = { db: Db; client: pg.PoolClient }
export type Outcome<T> = { keep: boolean; value: T }

/** What is asked in this turn of the loop goes out in one write: a system call costs more than a small query. */
function gatherWrites(client: pg.PoolClient): void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  stream.cork()
  setImmediate(() => stream.uncork())
}

const begins = { read: 'begin read only', write: "begin; set local app.audited = 'on'", record: 'begin' }

/**
 * One transaction in one scope. 'read' neither writes nor waits for its commit; 'record' writes what no person did, of
 * which the audit log keeps nothing. The scope and the first query share a
 * round trip, because the connection is pipelined; if setting the scope fails, every query after it fails too.
 */
export async function inScope<T>(
  pool: pg.Pool,
  scope: Scope,
  mode: 'read' | 'write' | 'record',
  work: (transaction: Transaction) => Promise<Outcome<T>>,
): Promise<T> {
  const client = await pool.connect()
  gatherWrites(client)
  const begin = begins[mode]
  const begun = client.query(`${begin}; ${scopeText(scope)}`)
  begun.catch(() => undefined) // the first query of the work, or the commit, reports the same failure
  try {
    const { keep, value } = await work({ db: kyselyOn(client), client })
    await begun
    if (mode === 'read') {
      client.query('commit').then(
        () => client.release(),
        (error: Error) => client.release(error),
      )
    } else {
      await client.query(keep ? 'commit' : 'rollback')
      client.release()
    }
    return value
  } catch (error) {
    await client.query('rollback').then(
      () => client.release(),
      (failure: Error) => client.release(failure),
    )
    throw error
  }
}

export const keep = <T>(value: T): Outcome<T> => ({ keep: true, value })
