import { setTimeout as sleep } from 'node:timers/promises'
import { deviceCommand, deviceOperation, whenOffline } from '@wattdeck/contract/product/device-command.ts'
import { batch, batchStatus } from '@wattdeck/contract/system/batch.ts'
import type pg from 'pg'
import { makeBroker } from '../../apps/gateway/test/mqtt-broker.ts'
import { callerOf } from '../../apps/server/test/harness/client.ts'
import { testConfig } from '../../apps/server/test/harness/config.ts'
import {
  freePort,
  startApiProcess,
  startGatewayProcess,
  startWorkerProcess,
} from '../../apps/server/test/harness/process.ts'
import { realHabits } from '../../apps/simulator/src/habits.ts'
import { noFaults } from '../../apps/simulator/src/faults.ts'
import { startFleet } from '../../apps/simulator/src/fleet.ts'
import { asSuperuser, dropDatabase, ensureDatabase, ensureRoles, migrate } from '../../tools/ops/database.ts'
import { startFileSandbox } from '../../tools/dev/file-sandbox.ts'
import { registerFleet } from '../../tools/demo/fleet-data.ts'
import { dropStreams } from '../../tools/dev/streams.ts'
import { Clicks, type Times } from '../fixtures/command-clicks.ts'
import { tenantsWithAdmin } from '../fixtures/tenants.ts'

const database = 'wattdeck_bench_commands'
const devices = Number(process.env['COMMAND_DEVICES'] ?? '5000')
/** COMMAND_KILLS=0 kills no process. */
const kills = process.env['COMMAND_KILLS'] !== '0'
const clicks = Number(process.env['COMMAND_CLICKS'] ?? '300')

type CommandsResult = {
  devices: number
  /** The outcome of the job at its end, and after the retry of the failed rows. */
  first: Outcome
  retried: Outcome
  /** Devices that restarted more than once, and rows whose result differs from the action of the device. */
  twice: number
  wrong: number
  /** Clicks of one person: on online devices, on some during a batch, and on offline devices. */
  clicks: { online: Times; besideBatch: Times; away: Times & { atOnce: number } }
  seconds: number
}
type Outcome = { done: number; refused: number; offline: number; unknown: number; other: number }

/**
 * Restarts many devices at once, of which one in twenty is offline and one in fifty refuses, while gateway and worker
 * are killed. Then retries the failed ones when all devices are online and accept. Each device counts its restarts.
 */
async function runCommands(): Promise<CommandsResult> {
  await ensureRoles()
  await dropDatabase(database)
  await ensureDatabase(database)
  await migrate(database)
  const [token = ''] = await asSuperuser(database, tenantsWithAdmin)
  await asSuperuser(database, grantAll)
  const part = (tenths: number) => Math.round((devices * tenths) / 10)
  const order = { dny: part(5), mqtt: part(2), ocpp: part(2), ykc: part(1) }
  const identities = await registerFleet(database, { organiseId: '2', ...order, ports: 2 })
  await asSuperuser(database, (client) => client.query('vacuum analyze device, device_state, port'))
  const files = await startFileSandbox()
  const broker = await makeBroker(freePort)
  const certificates = broker.ca.issue(identities.map(({ deviceNo }) => deviceNo))
  const config = testConfig(database)
  config.files.endpoint = files.endpoint
  const [dnyPort, ocppPort, ykcPort] = [await freePort(), await freePort(), await freePort()]
  const env = {
    ...broker.ca.gatewayEnv(broker.gatewayPort),
    DNY_PORT: String(dnyPort),
    OCPP_PORT: String(ocppPort),
    YKC_PORT: String(ykcPort),
  }
  // One person starts both batches.
  const api = await startApiProcess(config, { COMMANDS_WITHOUT_APPROVAL: String(2 * devices) })
  const call = callerOf(api.url)
  let worker = await startWorkerProcess(config)
  let gateway = await startGatewayProcess(config, env)
  let boot = 0
  const fleetOf = (from: number, to: number, refuse: number) =>
    startFleet({
      identities: identities.filter((_, place) => place % 100 >= from && place % 100 < to),
      habits: { ...realHabits, idleMs: 0 },
      faults: { ...noFaults, refuse },
      seed: 1,
      dny: { host: '127.0.0.1', ports: [dnyPort] },
      mqtt: { urls: [broker.deviceUrl], ca: broker.ca.platformCa, certificates, boot: (boot += 100) },
      ocpp: { urls: [`ws://127.0.0.1:${ocppPort}`] },
      ykc: { host: '127.0.0.1', ports: [ykcPort] },
      connectsPerSecond: 300,
    })
  const online = async (least: number) => {
    for (;;) {
      const now = await asSuperuser(database, (client) =>
        client.query<{ count: number }>('select count(*)::int as count from device where online'),
      )
      if ((now.rows[0]?.count ?? 0) >= least) return
      await sleep(500)
    }
  }
  const started = Date.now()
  const willing = fleetOf(0, 93, 0)
  const refusing = fleetOf(93, 95, 1)
  await online(willing.devices.length + refusing.devices.length)

  const job = (id: string) => call(token, batch.detail, { query: { id } }).then(({ data }) => data)
  const atLeast = async (id: string, share: number) => {
    for (let now = await job(id); now.done + now.failed < now.total * share; now = await job(id)) await sleep(50)
  }
  const ended = async (id: string) => {
    for (;;) {
      const now = await job(id)
      if (now.status > batchStatus.code.running && now.status !== batchStatus.code.held) return
      await sleep(200)
    }
  }
  const person = new Clicks(call, token, await deviceIds())
  const away = await person.answerAway(
    identities.filter((_, place) => place % 100 >= 95).map(({ deviceNo }) => deviceNo),
  )
  const body = { filter: 'status=1', operation: deviceOperation.code.restart, whenOffline: whenOffline.code.fail }
  const { data } = await call(token, deviceCommand.batchOperate, { body })
  if (kills) {
    await atLeast(data.jobId, 0.2)
    await gateway.kill()
    gateway = await startGatewayProcess(config, env)
    await atLeast(data.jobId, 0.4)
    await worker.kill()
    worker = await startWorkerProcess(config)
  }
  await ended(data.jobId)
  const first = await outcomeOf(data.jobId)
  const restartsOf = (...fleets: { devices: { identity: { deviceNo: string }; restarts: number }[] }[]) =>
    new Map(fleets.flatMap(({ devices: own }) => own.map((one) => [one.identity.deviceNo, one.restarts] as const)))
  let wrong = await wrongRows(data.jobId, restartsOf(willing, refusing))

  refusing.stop()
  await sleep(2000)
  const late = fleetOf(93, 100, 0)
  await online(devices)
  await call(token, batch.retry, { body: { id: data.jobId } })
  await ended(data.jobId)
  const restarts = restartsOf(willing, late)
  wrong += await wrongRows(data.jobId, restarts)
  const retried = await outcomeOf(data.jobId)
  // The last restarted devices are still reconnecting.
  await online(devices)
  const toAll = await person.arrive(willing.devices, clicks)
  // Other devices than those of the batch: a DNY device needs a pause of half a second after each command.
  const query = { ...body, filter: 'keyword=01', operation: deviceOperation.code.query }
  const beside = (await call(token, deviceCommand.batchOperate, { body: query })).data.jobId
  let running = true
  const over = ended(beside).then(() => (running = false))
  const others = willing.devices.filter(({ identity }) => identity.adapter !== 'dny')
  const besideBatch = await person.arrive(others, clicks, () => running)
  await over
  const result = {
    devices,
    first,
    retried,
    twice: [...restarts.values()].filter((count) => count > 1).length,
    wrong,
    clicks: { online: toAll, besideBatch, away },
    seconds: Math.round((Date.now() - started) / 1000),
  }
  for (const fleet of [willing, late]) fleet.stop()
  await gateway.stop()
  await worker.stop()
  await api.stop()
  await broker.remove()
  await files.stop()
  await dropDatabase(database)
  await dropStreams(database)
  return result
}

/** Grants every action of every menu, which bench administrators lack. */
const grantAll = (client: pg.Client) =>
  client.query(
    'insert into role_resource (role_id, resource_id, organise_id) select role.id, resource.id, role.organise_id from role, resource on conflict do nothing',
  )

const outcomeOf = (jobId: string): Promise<Outcome> =>
  asSuperuser(database, async (client) => {
    const { rows } = await client.query<{ status: number; reason: string | null; count: number }>(
      `select i.status, c.reason, count(*)::int as count from batch_item i left join device_command c on c.job_id = i.job_id and c.job_seq = i.seq
         and not c.superseded where i.job_id = $1 group by 1, 2`,
      [jobId],
    )
    const sum = (of: (row: (typeof rows)[number]) => boolean) =>
      rows.filter(of).reduce((total, row) => total + row.count, 0)
    const done = sum((row) => row.status === 1)
    const offline = sum((row) => ['offline', 'absent'].includes(row.reason ?? ''))
    const unknown = sum(
      (row) => ['lineLost', 'noAnswer'].includes(row.reason ?? '') || (row.status === 2 && row.reason === null),
    )
    const refused = sum((row) => ['portFault', 'unknown', 'unsupported', 'stopped'].includes(row.reason ?? ''))
    return { done, refused, offline, unknown, other: sum(() => true) - done - offline - unknown - refused }
  })

/** Rows that report success for a device that did not restart, or failure for a device that did. */
const wrongRows = (jobId: string, restarts: ReadonlyMap<string, number>): Promise<number> =>
  asSuperuser(database, async (client) => {
    const { rows } = await client.query<{ no: string; item: number; status: number }>(
      `select d.device_no as no, i.status as item, c.status from batch_item i join device d on d.id = i.target_id
         join device_command c on c.job_id = i.job_id and c.job_seq = i.seq where i.job_id = $1 and not c.superseded`,
      [jobId],
    )
    const isWrong = ({ no, status }: (typeof rows)[number]) => {
      const did = restarts.get(no) ?? 0
      return status === 4 ? did !== 1 : status === 5 || status === 6 ? did !== 0 : false
    }
    return rows.filter(isWrong).length
  })

const deviceIds = (): Promise<Map<string, string>> =>
  asSuperuser(database, async (client) => {
    const { rows } = await client.query<{ id: string; no: string }>('select id, device_no as no from device')
    return new Map(rows.map(({ id, no }) => [no, id]))
  })

export async function benchCommands(): Promise<void> {
  console.log(JSON.stringify(await runCommands()))
  process.exit(0)
}
