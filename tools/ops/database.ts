import { setTimeout as sleep } from 'node:timers/promises'
import { runner } from 'node-pg-migrate'
import pg from 'pg'
import { installJobs } from '../../apps/server/src/kit/jobs/jobs.ts'
import { ensureReferenceData } from '../../apps/server/src/seed/reference-data.ts'
import { sqlMigrations } from './sql-migrations.ts'

/** Creates and migrates databases for setup, tests and CI. Every function is idempotent. */
const server = process.env['POSTGRES'] ?? '127.0.0.1:5432'
const superuser = process.env['POSTGRES_SUPERUSER'] ?? 'postgres'
export const superuserUrl = (database: string) => `postgres://${superuser}@${server}/${database}`
export const apiUrl = (database: string) => `postgres://wattdeck_api@${server}/${database}`
export const workerUrl = (database: string) => `postgres://wattdeck_worker@${server}/${database}`
const ownerUrl = (database: string) => `postgres://wattdeck_owner@${server}/${database}`

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

export const asSuperuser = <T>(database: string, work: (client: pg.Client) => Promise<T>) =>
  withClient(superuserUrl(database), work)

/** The owner creates tables; the api and the worker only use them. None of the three may bypass row security. */
export async function ensureRoles(): Promise<void> {
  await asSuperuser('postgres', async (client) => {
    // Two concurrent setups would both find the role missing.
    await client.query("select pg_advisory_lock(hashtext('wattdeck roles'))")
    for (const role of ['wattdeck_owner', 'wattdeck_api', 'wattdeck_worker']) {
      const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role])
      if (rowCount === 0)
        await client.query(`create role ${role} login nosuperuser nobypassrls nocreatedb nocreaterole`)
    }
    // A page reads few rows by an index. A high row estimate of the planner would trigger JIT compilation, which takes
    // longer than the read.
    for (const role of ['wattdeck_api', 'wattdeck_worker']) await client.query(`alter role ${role} set jit = off`)
    // The ledger's functions run in the system scope for every caller, so their owner must be allowed to set it.
    for (const part of ['scope_level', 'organise_id', 'agent_ids', 'site_ids'])
      await client.query(`grant set on parameter app.${part} to wattdeck_owner`)
  })
}

export const databaseExists = (database: string): Promise<boolean> =>
  asSuperuser('postgres', async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [database])
    return rowCount !== 0
  })

export async function ensureDatabase(database: string): Promise<void> {
  if (!(await databaseExists(database)))
    await asSuperuser('postgres', (client) => client.query(`create database ${database} owner wattdeck_owner`))
  await asSuperuser(database, async (client) => {
    await client.query('alter schema public owner to wattdeck_owner')
    await client.query('revoke all on schema public from public')
    await client.query('create schema if not exists pgboss authorization wattdeck_worker')
  })
  await closeDatabase(database)
}

/** PostgreSQL stores these rights outside the database, so neither a copy nor a restored dump has them. */
const closeDatabase = (database: string) =>
  asSuperuser('postgres', (client) =>
    client.query(`revoke temporary on database ${database} from public, wattdeck_api, wattdeck_worker`),
  )

export async function dropDatabase(database: string): Promise<void> {
  await asSuperuser('postgres', (client) => client.query(`drop database if exists ${database} with (force)`))
}

/** Copies a migrated database in a fraction of a second: as files, not page by page through the WAL. */
export async function copyDatabase(from: string, to: string): Promise<void> {
  await dropDatabase(to)
  await asSuperuser('postgres', (client) =>
    client.query(`create database ${to} template ${from} owner wattdeck_owner strategy file_copy`),
  )
  await closeDatabase(to)
}

const lockTries = 30
/** A migration that waits for a lock blocks every later statement, so it times out soon and retries. */
export const migrationLockMs = 2000

/** Retries while another session holds a lock: each migration is a transaction of its own, so earlier ones stay. */
async function withoutWaiting<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      const isLocked = error instanceof Error && 'code' in error && error.code === '55P03'
      if (!isLocked || tries === lockTries) throw error
      await sleep(1000)
    }
  }
}

/** Migrates a database to the newest schema, with the tables of the job queue and the reference data. */
export async function migrate(database: string): Promise<string[]> {
  const applied = await withoutWaiting(() =>
    runner({
      databaseUrl: { connectionString: ownerUrl(database), options: `-c lock_timeout=${migrationLockMs}` },
      dir: 'apps/server/db/migrations',
      direction: 'up',
      migrationsTable: 'schema_migration',
      checkOrder: true,
      singleTransaction: false,
      migrationLoaderStrategies: [sqlMigrations],
      log: () => undefined,
    }),
  )
  await installJobs(workerUrl(database))
  await asSuperuser(database, async (client) => {
    await client.query('grant usage on schema pgboss to wattdeck_api')
    await client.query('grant select, insert, update on all tables in schema pgboss to wattdeck_api')
    // Every sender registers there and removes its row when it stops.
    await client.query('grant delete on pgboss.instance to wattdeck_api')
    await client.query(
      'alter default privileges for role wattdeck_worker in schema pgboss grant select, insert, update on tables to wattdeck_api',
    )
    await client.query('grant execute on all functions in schema pgboss to wattdeck_api')
    await client.query('set role wattdeck_owner')
    await ensureReferenceData(client)
  })
  return applied.map((migration) => migration.name)
}
