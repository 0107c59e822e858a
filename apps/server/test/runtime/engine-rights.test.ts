import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createHash } from 'node:crypto'
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { session } from '@wattdeck/contract/auth/session.ts'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDeviceCa } from '../../../../tools/ops/device-ca.ts'
import { freePort, startOwnPostgres } from '../../../../tools/dev/local-services.ts'
import { startApi } from '../harness/api.ts'
import { callerOf } from '../harness/client.ts'
import { makeFixture } from '../harness/people.ts'
import { startApiProcess } from '../harness/process.ts'
import { until } from '../harness/until.ts'

/** Redis and PostgreSQL with the files of deploy/: the rights of each process, and none for any other client. */
const folder = mkdtempSync(join(tmpdir(), 'wattdeck-rights-'))
const secret = `p${crypto.randomUUID()}`
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('Redis with deploy/redis.acl', () => {
  let port: number
  let stop: () => void
  beforeAll(async () => {
    port = await freePort()
    const rights = readFileSync('deploy/redis.acl', 'utf8')
      .replace('REPLACE_BY_THE_SHA256_OF_ITS_PASSWORD_IN_HEX', createHash('sha256').update(secret).digest('hex'))
      .concat(`user tester on >${secret} ~* &* +@all\n`)
    writeFileSync(join(folder, 'redis.acl'), rights)
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--aclfile', join(folder, 'redis.acl')]
    const child = spawn('/usr/bin/redis-server', args, { stdio: 'ignore' })
    stop = () => void child.kill('SIGKILL')
    process.once('exit', stop)
    await until(() => say('ping').catch(() => undefined))
  })
  afterAll(() => stop())

  /** The first line of the reply of Redis to a command, on a connection of its own. */
  async function say(command: string, user?: string): Promise<string> {
    const socket = connect(port, '127.0.0.1')
    const lines = createInterface({ input: socket })[Symbol.asyncIterator]()
    const next = async () => ((await lines.next()) as { value: string }).value
    try {
      await once(socket, 'connect')
      if (user !== undefined) {
        socket.write(`auth ${user} ${secret}\r\n`)
        expect(await next()).toBe('+OK')
      }
      socket.write(`${command}\r\n`)
      return await next()
    } finally {
      socket.destroy()
    }
  }
  const own = ['get wattdeck:session:1', 'set wattdeck:session:1 x', 'del wattdeck:session:1']
  const others = [
    'get other:session:1',
    'set wattdeck:other x',
    'keys *',
    'scan 0',
    'flushall',
    'config get *',
    'eval return:1 0',
    'subscribe x',
    'acl list',
    'monitor',
    'shutdown',
  ]
  const answers = (commands: readonly string[], user?: string) =>
    Promise.all(commands.map(async (command) => (await say(command, user)).split(' ')[0]))

  it('[attack.H6] refuses every command without a login', async () => {
    expect(new Set(await answers([...own, ...others]))).toEqual(new Set(['-NOAUTH']))
  })

  it('lets the api read, write and remove its sessions only', async () => {
    for (const command of own) expect(await say(command, 'api')).not.toMatch(/^-/)
    expect(new Set(await answers(others, 'api'))).toEqual(new Set(['-NOPERM']))
  })

  it('grants everything that the api needs', async () => {
    const api = await startApi({ prefix: 'wattdeck' })
    const fixture = await makeFixture(api)
    const url = `redis://api:${secret}@127.0.0.1:${port}`
    const started = await startApiProcess(api.config, { REDIS_URL: url })
    for (const command of ['config resetstat', 'acl log reset']) expect(await say(command, 'tester')).toBe('+OK')
    expect((await callerOf(started.url)(fixture.green.admin.token, session.userInfo)).status).toBe(200)
    // The entry itself expires too soon to be read.
    const written = `eval "return redis.status_reply(redis.call('info', 'commandstats'):match('_(set:calls=%d+),'))" 0`
    expect(await say(written, 'tester')).toBe('+set:calls=1')
    expect(await say('acl log', 'tester')).toBe('*0')
    await started.stop()
  })
})

describe('PostgreSQL with deploy/pg_hba.conf', () => {
  const authority = openDeviceCa(folder)
  let postgres: Awaited<ReturnType<typeof startOwnPostgres>>
  beforeAll(async () => {
    const file = (name: string) => join(folder, name)
    writeFileSync(file('pg_hba.conf'), 'host all all 127.0.0.1/32 trust\n')
    chmodSync(folder, 0o755)
    // PostgreSQL rejects a key file that other users can read.
    const owner = statSync('/var/lib/postgresql')
    for (const [from, to] of [
      ['server.key', 'postgres.key'],
      ['server.pem', 'postgres.pem'],
    ] as const) {
      writeFileSync(file(to), readFileSync(file(from)), { mode: 0o600 })
      if (process.getuid?.() === 0) chownSync(file(to), owner.uid, owner.gid)
    }
    const settings = { hba_file: 'pg_hba.conf', ssl_cert_file: 'postgres.pem', ssl_key_file: 'postgres.key' }
    const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${file(value)}`)
    postgres = await startOwnPostgres('ephemeral', undefined, ['-c ssl=on', ...options].join(' '))
    const superuser = await connected({ user: 'postgres', database: 'postgres' })
    await superuser.query('create database wattdeck')
    for (const role of ['wattdeck_api', 'wattdeck_worker', 'stranger'])
      await superuser.query(`create role ${role} login password '${secret}'`)
    const rules = readFileSync('deploy/pg_hba.conf', 'utf8').replaceAll('10.0.0.0/8', '127.0.0.0/8')
    writeFileSync(file('pg_hba.conf'), rules)
    await superuser.query('select pg_reload_conf()')
    await superuser.end()
    await until(async () => ((await tried({ user: 'stranger' })) === 'done' ? undefined : true))
  })
  afterAll(() => postgres.stop())

  type Who = { user: string; password?: string; database?: string; isPlain?: boolean }
  async function connected({ user, password, database = 'wattdeck', isPlain = true }: Who): Promise<pg.Client> {
    const ssl = isPlain ? false : { ca: readFileSync(join(folder, 'platform-ca.pem')), servername: 'localhost' }
    const client = new pg.Client({ host: '127.0.0.1', port: postgres.port, user, password, database, ssl })
    client.on('error', () => undefined)
    await client.connect()
    return client
  }
  const tried = async (who: Who) => {
    try {
      const client = await connected(who)
      await client.query('select 1')
      await client.end()
      return 'done'
    } catch (error) {
      return (error as pg.DatabaseError).code
    }
  }

  it('[attack.H4] accepts the roles of the processes, over TLS and with their password', async () => {
    expect(authority.authorityEnv).toBeDefined()
    for (const user of ['wattdeck_api', 'wattdeck_worker'])
      expect(await tried({ user, password: secret, isPlain: false })).toBe('done')
  })

  it.each<[string, Who]>([
    ['without TLS', { user: 'wattdeck_api', password: secret }],
    ['with a wrong password', { user: 'wattdeck_api', password: 'wrong', isPlain: false }],
    ['to another database', { user: 'wattdeck_api', password: secret, database: 'postgres', isPlain: false }],
    ['as the superuser', { user: 'postgres', database: 'postgres', isPlain: false }],
    ['as somebody else', { user: 'stranger', password: secret, isPlain: false }],
    ['as nobody', { user: 'nobody', isPlain: false }],
  ])('[attack.H4] refuses a connection %s', async (_, who) => {
    expect(await tried(who)).toMatch(/^28/)
  })
})
