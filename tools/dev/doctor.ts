import { existsSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import { delimiter, join } from 'node:path'
import { connect } from '@nats-io/transport-node'
import { Redis } from 'ioredis'
import pg from 'pg'
import { executable as chromium } from '../../e2e/chromium.ts'
import { superuserUrl } from '../ops/database.ts'

/**
 * `npm run doctor` lists the missing requirements of development and check, with the remedy of each. Fails if a
 * required one is missing.
 */
type Finding = { what: string; needed: boolean; problem?: string; help?: string }

const isOnPath = (name: string) =>
  [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'].some((folder) => existsSync(join(folder, name)))
const program = (what: string, isThere: boolean, help: string, needed = true): Finding =>
  isThere ? { what, needed } : { what, needed, problem: 'is missing', help }

/** Runs a check; the problem is its result or its error. */
async function attempt(what: string, help: string, work: () => Promise<string | undefined>): Promise<Finding> {
  try {
    const problem = await work()
    return problem === undefined ? { what, needed: true } : { what, needed: true, problem, help }
  } catch (error) {
    const problem = error instanceof Error && error.message !== '' ? error.message : 'does not answer'
    return { what, needed: true, problem, help }
  }
}

const postgres = () =>
  attempt('PostgreSQL 15 or newer', 'apt install postgresql; allow 127.0.0.1 by trust, or set POSTGRES', async () => {
    const client = new pg.Client({ connectionString: superuserUrl('postgres'), connectionTimeoutMillis: 3000 })
    await client.connect()
    const { rows } = await client.query<{ version: number; connections: number }>(
      "select current_setting('server_version_num')::int as version, current_setting('max_connections')::int as connections",
    )
    await client.end()
    const { version = 0, connections = 0 } = rows[0] ?? {}
    if (version < 150_000) return `is version ${Math.floor(version / 10_000)}`
    return connections < 100 ? `allows ${connections} connections; tests need 100` : undefined
  })

const redis = () =>
  attempt('Redis 6 or newer', 'apt install redis-server, or set REDIS_URL', async () => {
    const client = new Redis(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379', {
      lazyConnect: true,
      retryStrategy: () => null,
      connectTimeout: 3000,
    })
    client.on('error', () => undefined)
    await client.connect()
    await client.ping()
    client.disconnect()
    return undefined
  })

const nats = () =>
  attempt(
    'NATS 2.9 or newer with JetStream',
    'apt install nats-server; start it with -js, or set NATS_URL',
    async () => {
      const bus = await connect({
        servers: process.env['NATS_URL'] ?? '127.0.0.1:4222',
        timeout: 3000,
        reconnect: false,
      })
      const hasStreams = bus.info?.jetstream === true
      await bus.close()
      return hasStreams ? undefined : 'runs without JetStream'
    },
  )

const [major = 0] = process.versions.node.split('.').map(Number)
const gib = Math.round(totalmem() / 1024 ** 3)
const findings: Finding[] = [
  major >= 24
    ? { what: 'Node 24', needed: true }
    : { what: 'Node 24', needed: true, problem: `is ${major}`, help: 'run scripts by npm: npm ci brings Node 24' },
  await postgres(),
  await redis(),
  await nats(),
  program('Mosquitto', isOnPath('mosquitto'), 'apt install mosquitto'),
  program('Chromium', existsSync(chromium), 'apt install chromium-headless-shell, or set CHROMIUM'),
  program(
    'Chinese font for PDF files',
    existsSync(process.env['PDF_FONT'] ?? '/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc'),
    'apt install fonts-noto-cjk, or set PDF_FONT',
  ),
  program('C compiler, for tests that move the clock', isOnPath('cc'), 'apt install gcc libc6-dev'),
  program('openssl, for tests of certificates', isOnPath('openssl'), 'apt install openssl'),
  gib >= 8 && availableParallelism() >= 2
    ? { what: `${gib} GiB and ${availableParallelism()} processors`, needed: false }
    : {
        what: 'Memory',
        needed: false,
        problem: `${gib} GiB, ${availableParallelism()} processors`,
        help: '8 GiB and 2 processors run everything',
      },
]

for (const { what, problem, help } of findings)
  console.log(problem === undefined ? `ok       ${what}` : `missing  ${what}: ${problem}\n         ${help}`)
const missing = findings.filter(({ needed, problem }) => needed && problem !== undefined).length
console.log(missing === 0 ? '\nThis machine has everything.' : `\n${missing} missing.`)
process.exitCode = missing === 0 ? 0 : 1
