import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { rechargeRecord } from '@wattdeck/contract/order/recharge-record.ts'
import { session } from '@wattdeck/contract/auth/session.ts'
import { consumeOrder } from '@wattdeck/contract/order/consume-order.ts'
import { wechatUser } from '@wattdeck/contract/member/wechat-user.ts'
import { deviceManage } from '@wattdeck/contract/product/device-manage.ts'
import { department } from '@wattdeck/contract/system/department.ts'
import { log } from '@wattdeck/contract/system/log.ts'
import { staff } from '@wattdeck/contract/system/staff.ts'
import pg from 'pg'
import { expect, it } from 'vitest'
import { schemaText } from '../../../../tools/check/schema-text.ts'
import { dropDatabase, migrate, migrationLockMs, superuserUrl } from '../../../../tools/ops/database.ts'
import { Vault } from '../../src/kit/crypto/vault.ts'
import { copyRows } from '../fixtures/many-rows.ts'
import { running } from '../harness/api.ts'
import { callerOf } from '../harness/client.ts'
import { testConfig } from '../harness/config.ts'
import { runName, templateDatabase } from '../harness/names.ts'
import { addedMigrations, writePreviousVersion } from '../harness/previous-version.ts'
import { startApiProcess } from '../harness/process.ts'
import { until } from '../harness/until.ts'

const database = `${runName}_upgrade_${process.pid}`
const config = testConfig(database)
type Call = ReturnType<typeof callerOf>
type Fill = Awaited<ReturnType<typeof fillDatabase>>

/** A database of the previous version, created by that version: its schema, its reference data. */
async function makePreviousDatabase(folder: string) {
  await dropDatabase(database)
  running.push(() => dropDatabase(database))
  execFileSync(process.execPath, ['tools/dev/setup.ts'], {
    cwd: folder,
    env: { ...process.env, DATABASE: database, SECRET_KEYS: config.secretKeys.join(',') },
  })
  const owner = new pg.Pool({ connectionString: superuserUrl(database), max: 2 })
  owner.on('error', () => undefined)
  running.push(() => owner.end())
  return owner
}

/** Business rows by the fixtures of the version that created the tables, and tens of thousands of copies. */
async function fillDatabase(folder: string, owner: pg.Pool) {
  const load = async <T>(path: string) => (await import(/* @vite-ignore */ `${folder}/apps/server/test/${path}`)) as T
  const { makeFixture } = await load<typeof import('../harness/people.ts')>('harness/people.ts')
  const { makeModels, makeDevice } = await load<typeof import('../fixtures/devices.ts')>('fixtures/devices.ts')
  const { makeMember } = await load<typeof import('../fixtures/members.ts')>('fixtures/members.ts')
  const { plantOrder } = await load<typeof import('../fixtures/orders.ts')>('fixtures/orders.ts')
  const { plantPayment } = await load<typeof import('../fixtures/payment-rows.ts')>('fixtures/payment-rows.ts')
  const sql = async (text: string, values: unknown[] = []) => (await owner.query(text, values)).rows
  const api = { sql, deps: { vault: new Vault(config.secretKeys) } } as never
  const { green } = await makeFixture(api)
  const place = { organiseId: green.id, agentId: green.subAgentId, siteId: green.siteId }
  const models = await makeModels(api)
  const device = await makeDevice(api, { ...place, typeId: models.mqtt })
  const member = await makeMember(api, place)
  const { order } = await plantOrder(api, device, 'upgrade')
  const { recharge, payment } = await plantPayment(api, { ...place, memberId: member.id })
  const next = (table: string) => `nextval(pg_get_serial_sequence('${table}', 'id'))`
  await copyRows(superuserUrl(database), [
    {
      table: 'device',
      of: device,
      count: 10_000,
      changed: { id: next('device'), device_no: "'UP' || 100000 + n", wire_id: "'UP' || 100000 + n" },
    },
    { table: 'member', of: member.id, count: 20_000, changed: { id: next('member'), nickname: "'会员' || n" } },
    { table: 'charging_order', of: order, count: 30_000, changed: { id: 'app.order_id()' } },
    {
      table: 'pay_order',
      of: payment,
      count: 20_000,
      changed: { id: 'app.pay_id()' },
    },
    { table: 'recharge_order', of: recharge, count: 20_000, changed: { id: 'app.pay_id()' } },
  ])
  return { token: green.admin.token, clerk: green.clerk.id, device, deviceTypeId: models.mqtt }
}

/** The schema without the start day of visit counts; an upgrade sets it if the installation had orders. */
const shapeOf = async (name: string) =>
  (await schemaText(superuserUrl(name))).replace(/(FUNCTION app\.visits_since\(\)[^$]*\$\$select )'[^']*'/, '$1day')

/** Requests that run continuously while the schema changes: lists of the filled tables, and writes into several. */
const calls: Record<string, (call: Call, fill: Fill, headers: Record<string, string>) => ReturnType<Call>> = {
  userInfo: (call, { token }) => call(token, session.userInfo),
  devices: (call, { token }) => call(token, deviceManage.list),
  orders: (call, { token }) => call(token, consumeOrder.list),
  recharges: (call, { token }) => call(token, rechargeRecord.list),
  members: (call, { token }) => call(token, wechatUser.list),
  log: (call, { token }) => call(token, log.list),
  editDevice: (call, { token, device: id, deviceTypeId }, headers) =>
    call(token, deviceManage.edit, {
      body: { id, deviceTypeId, name: `设备${crypto.randomUUID().slice(0, 8)}` },
      headers,
    }),
  addDepartment: (call, { token }, headers) =>
    call(token, department.add, {
      body: { name: crypto.randomUUID().slice(0, 20), code: `D${crypto.randomUUID().slice(0, 8)}`, type: '1' } as never,
      headers,
    }),
  toggleStaff: (call, { token, clerk }, headers) =>
    call(token, staff.toggle, { body: { ids: [clerk], status: 1 } as never, headers }),
}

/** Calls until stopped. A 503 with Retry-After is a documented refusal, and the call is repeated. */
function keepCalling(url: string, fill: Fill) {
  const call = callerOf(url)
  const done: Record<string, number> = {}
  const failures: string[] = []
  let isOver = false
  const loops = Object.entries(calls).map(async ([name, ask]) => {
    done[name] = 0
    while (!isOver) {
      const headers = { 'idempotency-key': crypto.randomUUID() }
      for (let isAnswered = false; !isAnswered;) {
        const {
          status,
          message,
          headers: replyHeaders,
        } = await ask(call, fill, headers).catch((error: Error) => ({
          status: 0,
          message: error.message,
          headers: new Headers(),
        }))
        isAnswered = status !== 503 || !replyHeaders.has('retry-after')
        if (!isAnswered) await sleep(Number(replyHeaders.get('retry-after')) * 1000)
        else if (status !== 200) failures.push(`${name}: ${status} ${message}`)
      }
      done[name]++
      await sleep(100)
    }
  })
  /** Waits until every caller has a reply to a call that began after this moment. */
  const oneMoreEach = async () => {
    const before = { ...done }
    await until(() => Object.keys(calls).every((name) => (done[name] ?? 0) >= (before[name] ?? 0) + 2) || undefined)
  }
  const stop = async () => {
    isOver = true
    await Promise.all(loops)
    return failures
  }
  return { oneMoreEach, stop }
}

/** Records statements that a migration blocks for longer than the limit. */
function watchLocks(owner: pg.Pool) {
  const late: string[] = []
  let isOver = false
  const loop = (async () => {
    while (!isOver) {
      const { rows } = await owner.query<{ query: string }>(
        `select waiting.query
         from pg_locks lock
           join pg_stat_activity waiting on waiting.pid = lock.pid
         where not lock.granted
           and waiting.datname = current_database()
           and waiting.usename <> 'wattdeck_owner'
           and lock.waitstart < clock_timestamp() - make_interval(secs => $1 / 1000.0)
           and exists (
             select from pg_stat_activity migration
             where migration.pid = any (pg_blocking_pids(lock.pid)) and migration.usename = 'wattdeck_owner'
           )`,
        [migrationLockMs],
      )
      late.push(...rows.map(({ query }) => query))
      await sleep(50)
    }
  })()
  return async () => {
    isOver = true
    await loop
    return late
  }
}

it('a filled database of the previous version is migrated while that version serves; then both serve side by side', async () => {
  const folder = writePreviousVersion()
  const owner = await makePreviousDatabase(folder)
  const fill = await fillDatabase(folder, owner)
  const previous = await startApiProcess(config, {}, `${folder}/apps/server/src`)
  running.push(previous.stop)
  const onPrevious = keepCalling(previous.url, fill)
  await onPrevious.oneMoreEach()

  const stopWatch = watchLocks(owner)
  expect(await migrate(database)).toEqual(addedMigrations)
  expect(addedMigrations).not.toEqual([])
  await onPrevious.oneMoreEach()
  expect(await stopWatch()).toEqual([])
  expect(await shapeOf(database)).toBe(await shapeOf(templateDatabase))

  const current = await startApiProcess(config)
  running.push(current.stop)
  const onCurrent = keepCalling(current.url, fill)
  await onCurrent.oneMoreEach()
  await onPrevious.oneMoreEach()
  expect([...(await onPrevious.stop()), ...(await onCurrent.stop())]).toEqual([])
})
