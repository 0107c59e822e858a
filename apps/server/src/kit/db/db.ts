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
import { PreparedStatements, statementName } from './prepared-statements.ts'
import type { Scope } from './scope.ts'

export type Db = Kysely<DB>

// Times leave the database as 'YYYY-MM-DD HH:mm:ss' of the session's zone, Asia/Shanghai; int8 stays text.
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (value) => value.slice(0, 19))

/** How long a statement of a request, or of a step that others wait for, may take. */
const statementMs = 5000
/** How long after its statement's own limit an answer is waited for. None comes from a machine that is gone. */
const answerMs = 2000

/**
 * What every connection has. A peer that is gone without a word is noticed by both sides within seconds: here by the
 * limit of a query and by keep-alive, there by keep-alive, so that a lost holder of a lock does not hold it for hours.
 */
function connectionOptions(connectionString: string, name: string) {
  return {
    connectionString,
    // What pg_stat_activity shows.
    application_name: name,
    connectionTimeoutMillis: 3000,
    query_timeout: statementMs + answerMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5000,
    options: [
      `statement_timeout=${statementMs}`,
      'lock_timeout=3000',
      'idle_in_transaction_session_timeout=10000',
      'timezone=Asia/Shanghai',
      'tcp_keepalives_idle=5',
      'tcp_keepalives_interval=2',
      'tcp_keepalives_count=3',
    ]
      .map((setting) => `-c ${setting}`)
      .join(' '),
  }
}

export function createPool(connectionString: string, max: number, name = 'wattdeck'): pg.Pool {
  const pool = new pg.Pool({
    // Waiting longer than connectionTimeoutMillis for a connection is overload: the request is answered 503.
    ...connectionOptions(connectionString, name),
    max,
    // A new one costs PostgreSQL a process, and every statement must be planned on it again.
    idleTimeoutMillis: 300_000,
    pipeline: true,
  } as pg.PoolConfig)
  pool.on('error', () => undefined) // a broken idle connection is replaced; the next query reports if the server is gone
  pool.on('connect', (client) => {
    // One that breaks between two queries of a transaction has nobody to tell yet; the next query reports it.
    client.on('error', () => undefined)
    openedMs.set(client, performance.now())
  })
  return pool
}

const openedMs = new WeakMap<pg.PoolClient, number>()
/** When a pool last waited for an answer in vain. */
const silentMs = new WeakMap<pg.Pool, number>()

/**
 * Where one connection has met silence, those that are as old are not to be trusted either: each would make its user wait
 * as long to find out.
 */
async function connectFresh(pool: pg.Pool): Promise<pg.PoolClient> {
  for (;;) {
    const client = await pool.connect()
    if ((openedMs.get(client) ?? 0) >= (silentMs.get(pool) ?? 0)) return client
    client.release(true)
  }
}

const isSilence = (error: unknown) => error instanceof Error && error.message === 'Query read timeout'

/**
 * One connection of its own, for what goes with a connection: listening, and locks that end with it. `onGone` is told which
 * one has ended, also when it never opened.
 */
export async function connectAlone(connectionString: string, onGone: (client: pg.Client) => void): Promise<pg.Client> {
  const client = new pg.Client(connectionOptions(connectionString, 'wattdeck-alone'))
  client.on('error', () => onGone(client)).on('end', () => onGone(client))
  await client.connect()
  return client
}

/**
 * Opens all connections, so that a burst right after the start, or the load of a copy that stops, does not wait for them.
 * One that does not come now is opened when it is needed.
 */
export async function fillPool(pool: pg.Pool): Promise<void> {
  const opened = await Promise.allSettled(Array.from({ length: pool.options.max }, () => pool.connect()))
  for (const one of opened) if (one.status === 'fulfilled') one.value.release()
}

class ClientConnection implements DatabaseConnection {
  readonly #client: pg.PoolClient
  readonly statements: PreparedStatements
  /** How long an answer is waited for, of a transaction with a limit of its own. */
  queryMs: number | undefined
  constructor(client: pg.PoolClient) {
    this.#client = client
    this.statements = new PreparedStatements(client)
  }
  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { sql: text, parameters } = query
    const config = { name: statementName(text), text, values: [...parameters], query_timeout: this.queryMs }
    const result = await this.#client.query(config as pg.QueryConfig)
    return { rows: result.rows as R[], numAffectedRows: BigInt(result.rowCount ?? 0) }
  }
  // oxlint-disable-next-line require-yield -- Kysely asks for the method; nothing here streams
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('streaming goes through exports, not through a request')
  }
}

type ClientDb = { db: Db; connection: ClientConnection }
const clientDbs = new WeakMap<pg.PoolClient, ClientDb>()

/** A Kysely that runs on one connection and opens no transaction of its own: the request owns it. Made once a connection. */
function kyselyOn(client: pg.PoolClient): ClientDb {
  const known = clientDbs.get(client)
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
  const both = { db, connection }
  clientDbs.set(client, both)
  return both
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
export type Outcome<T> = { commit: boolean; value: T }

/** What is asked in this turn of the loop goes out in one write: a system call costs more than a small query. */
function corkWrites(client: pg.PoolClient): void {
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
  /** Of background work whose statements may take longer than those of a request. */
  limitMs?: number,
): Promise<T> {
  const client = await connectFresh(pool)
  corkWrites(client)
  const { db, connection } = kyselyOn(client)
  connection.queryMs = limitMs === undefined ? undefined : limitMs + answerMs
  const begin = [
    ...connection.statements.takeForgotten().map((name) => `deallocate ${name}`),
    begins[mode],
    scopeText(scope),
    ...(limitMs === undefined ? [] : [`set local statement_timeout = ${limitMs}`]),
  ]
  const begun = client.query(begin.join('; '))
  begun.catch(() => undefined) // the first query of the work, or the commit, reports the same failure
  try {
    const { commit: shouldCommit, value } = await work({ db, client })
    await begun
    if (mode === 'read') {
      client.query('commit').then(
        () => client.release(),
        (error: Error) => client.release(error),
      )
    } else {
      await client.query(shouldCommit ? 'commit' : 'rollback')
      client.release()
    }
    return value
  } catch (error) {
    if (isSilence(error)) silentMs.set(pool, performance.now())
    await client.query('rollback').then(
      () => client.release(),
      (failure: Error) => client.release(failure),
    )
    throw error
  }
}

export const commit = <T>(value: T): Outcome<T> => ({ commit: true, value })
