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

// Times are returned as 'YYYY-MM-DD HH:mm:ss' in the session's zone, Asia/Shanghai; int8 stays text.
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (value) => value.slice(0, 19))

/** Timeout of a statement of a request or of an interactive job. */
const statementMs = 5000
/** Grace period after the statement timeout, for a server that no longer responds. */
const answerMs = 2000

/**
 * Options of every connection. Both sides detect a lost peer within seconds: the client by the query timeout and keep-alive,
 * the server by keep-alive. A lost client therefore does not hold its locks for hours.
 */
function connectionOptions(connectionString: string, name: string) {
  return {
    connectionString,
    // Shown in pg_stat_activity.
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
    // A wait for a connection beyond connectionTimeoutMillis is overload: the request is refused with 503.
    ...connectionOptions(connectionString, name),
    max,
    // A new connection costs PostgreSQL a process, and every statement is planned again.
    idleTimeoutMillis: 300_000,
    pipeline: true,
  } as pg.PoolConfig)
  pool.on('error', () => undefined) // a broken idle connection is replaced; the next query reports an unavailable server
  pool.on('connect', (client) => {
    // When a connection breaks between two queries of a transaction, the next query reports it.
    client.on('error', () => undefined)
    openedMs.set(client, performance.now())
  })
  return pool
}

const openedMs = new WeakMap<pg.PoolClient, number>()
/** Time of the last query timeout, by pool. */
const silentMs = new WeakMap<pg.Pool, number>()

/**
 * After a query timeout all connections that were opened before it are replaced. Each of them could run into the same
 * timeout.
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
 * A separate connection, for LISTEN and for advisory locks of the session. `onGone` receives the client when it ends, also
 * when it never connected.
 */
export async function connectAlone(connectionString: string, onGone: (client: pg.Client) => void): Promise<pg.Client> {
  const client = new pg.Client(connectionOptions(connectionString, 'wattdeck-alone'))
  client.on('error', () => onGone(client)).on('end', () => onGone(client))
  await client.connect()
  return client
}

/**
 * Opens all connections in advance, for a burst right after the start or the load of an instance that stops. A connection
 * that fails now is opened on demand.
 */
export async function fillPool(pool: pg.Pool): Promise<void> {
  const opened = await Promise.allSettled(Array.from({ length: pool.options.max }, () => pool.connect()))
  for (const one of opened) if (one.status === 'fulfilled') one.value.release()
}

class ClientConnection implements DatabaseConnection {
  readonly #client: pg.PoolClient
  readonly statements: PreparedStatements
  /** Query timeout of a transaction with its own limit. */
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

/** A Kysely on one connection, cached by connection. It opens no transaction, because the request owns it. */
function kyselyOn(client: pg.PoolClient): ClientDb {
  const existing = clientDbs.get(client)
  if (existing !== undefined) return existing
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

/** SQL text without parameters, because it is sent with 'begin' in one message. Only digits, commas and braces are allowed. */
function scopeText(scope: Scope): string {
  return Object.entries(scopeSettings(scope))
    .map(([name, value]) => {
      if (!/^(\d+|\{[\d,]*\})$/.test(value)) throw new Error(`${name} is not a valid scope setting`)
      return `set local app.${name} = '${value}'`
    })
    .join('; ')
}

/** Changes the scope of a running transaction. Only kit code that restores the old scope may call it. */
export async function applyScope(db: Db, scope: Scope): Promise<void> {
  const text = `select set_config('app.scope_level', $1, true), set_config('app.organise_id', $2, true),
    set_config('app.agent_ids', $3, true), set_config('app.site_ids', $4, true)`
  await db.executeQuery(CompiledQuery.raw(text, Object.values(scopeSettings(scope))))
}

export type Transaction = { db: Db; client: pg.PoolClient }
export type Outcome<T> = { commit: boolean; value: T }

/** Sends the queries of one turn of the event loop in one write. A system call costs more than a small query. */
function corkWrites(client: pg.PoolClient): void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  stream.cork()
  setImmediate(() => stream.uncork())
}

const begins = { read: 'begin read only', write: "begin; set local app.audited = 'on'", record: 'begin' }

/**
 * Runs one transaction in one scope. 'read' neither writes nor waits for its commit. 'record' writes without audited changes.
 * The scope and the first query share a round trip, because the connection is pipelined. If setting the scope fails, every
 * later query fails too.
 */
export async function inScope<T>(
  pool: pg.Pool,
  scope: Scope,
  mode: 'read' | 'write' | 'record',
  work: (transaction: Transaction) => Promise<Outcome<T>>,
  /** Statement timeout of background work, when it is longer than that of a request. */
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
