import { connect } from '@nats-io/transport-node'
import { deviceBus, type DownEnvelope } from '@wattdeck/contract/events/device-bus.ts'
import { commandStatus } from '@wattdeck/contract/product/device-command.ts'
import { afterAll, expect, it } from 'vitest'
import { makeDevice, makeModels } from '../../../test/fixtures/devices.ts'
import { startApi } from '../../../test/harness/api.ts'
import { gatewayPublisher, heartbeat } from '../../../test/harness/gateway-voice.ts'
import { makeFixture } from '../../../test/harness/people.ts'
import { startWorkerProcess } from '../../../test/harness/process.ts'
import { until } from '../../../test/harness/until.ts'

const api = await startApi()
const { green } = await makeFixture(api)
const models = await makeModels(api)
const bus = await connect({ servers: api.config.natsUrl })
const gateway = 7
const voice = gatewayPublisher(bus, api.config.prefix, gateway)
bus.subscribe(deviceBus.down(api.config.prefix, gateway), {
  callback: (error, message) => {
    if (error !== null) return
    message.respond(JSON.stringify({ absent: [] }))
    for (const { id, d } of message.json<DownEnvelope>().items)
      void voice.publish([voice.item(d, { kind: 'commandResult', commandId: id, ok: true, carriedOut: true })])
  },
})
const workers = await Promise.all([startWorkerProcess(api.config), startWorkerProcess(api.config)])
afterAll(async () => {
  await bus.close()
  await Promise.all(workers.map((worker) => worker.stop()))
})

const deadlocks = async () => {
  const [row] = await api.sql<{ n: number }>(
    'select deadlocks::int as n from pg_stat_database where datname = current_database()',
  )
  return row?.n ?? 0
}

it('commands of a few devices, sent by two workers while the devices answer, never wait for each other in a circle', async () => {
  const deviceIds = await Promise.all([1, 2].map(() => makeDevice(api, { organiseId: green.id, typeId: models.dny })))
  await voice.publish(deviceIds.map((id) => voice.item(id, heartbeat('free', 'free'))))
  await until(async () => {
    const [row] = await api.sql<{ n: number }>('select count(*)::int as n from device where online and id = any($1)', [
      deviceIds,
    ])
    return row?.n === deviceIds.length ? true : undefined
  })
  for (let round = 0; round < 1500; round++)
    await api.sql(
      `insert into device_command (organise_id, device_id, kind, content, status, when_offline, expires_at, issued_by)
       select organise_id, id, 'query', '{"kind":"query"}', 1, 1, now() + interval '1 min', '测试' from device where id = any($1)`,
      [deviceIds],
    )
  await until(async () => {
    const [row] = await api.sql<{ n: number }>('select count(*)::int as n from device_command where status <> $1', [
      commandStatus.code.done,
    ])
    return row?.n === 0 ? true : undefined
  })
  expect(await deadlocks()).toBe(0)
})
