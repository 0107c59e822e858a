import { connect } from '@nats-io/transport-node'
import { deviceBus, type DownEnvelope } from '@wattdeck/contract/events/device-bus.ts'
import { openCharging } from '@wattdeck/contract/open/open-charging.ts'
import { commandStatus } from '@wattdeck/contract/product/device-command.ts'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startFaultProxy } from '../../../../../tools/dev/fault-proxy.ts'
import { startApi } from '../../../test/harness/api.ts'
import { makeOpenApp, makePayer, makeStation } from '../../../test/fixtures/charging.ts'
import { makeModels } from '../../../test/fixtures/devices.ts'
import { makeFixture } from '../../../test/harness/people.ts'
import { startWorkerProcess } from '../../../test/harness/process.ts'
import { until } from '../../../test/harness/until.ts'

const gateway = 9

describe('a start while the bus hangs silently', () => {
  it('is not lost: the command stays queued and is sent when the bus is back', async () => {
    const api = await startApi()
    const fixture = await makeFixture(api)
    const client = await makeOpenApp(api, fixture.green.id)
    const { deviceNo } = await makeStation(api, fixture.green, await makeModels(api))
    const memberId = await makePayer(api, fixture.green.id, 1000n)
    const line = await startFaultProxy(Number(new URL(api.config.natsUrl).port))
    const worker = await startWorkerProcess(api.config, { NATS_URL: `nats://127.0.0.1:${line.port}` })
    const bus = await connect({ servers: api.config.natsUrl })
    onTestFinished(async () => {
      await worker.stop()
      await line.stop()
      await bus.close()
    })
    const receivedIds: string[] = []
    bus.subscribe(deviceBus.down(api.config.prefix, gateway), {
      callback: (_error, message) => {
        receivedIds.push(...message.json<DownEnvelope>().items.map(({ id }) => id))
        message.respond(JSON.stringify({ absent: [] }))
      },
    })
    await bus.flush()
    line.freeze()
    const body = { memberId, deviceNo, portNo: '1', limitBy: '1', amount: '3.00' }
    await client.call(openCharging.start, { body: body as never })
    const statusOf = async () => (await api.sql<{ status: number }>('select status from device_command'))[0]?.status
    // The worker detects the missing answers by itself.
    await until(async () => {
      const { bus: isThere } = (await (await fetch(`${worker.admin}/ready`)).json()) as { bus: boolean }
      return isThere ? undefined : true
    })
    expect(await statusOf()).toBe(commandStatus.code.queued)
    line.heal()
    await until(() => (receivedIds.length > 0 ? true : undefined))
    expect(await statusOf()).toBe(commandStatus.code.sent)
  })
})
