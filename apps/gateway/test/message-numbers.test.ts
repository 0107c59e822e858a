import { Kvm } from '@nats-io/kv'
import { connectBus, watchBus } from '@wattdeck/bus/bus.ts'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { until } from '../../server/test/harness/until.ts'
import { startOwnNats } from '../../../tools/dev/local-services.ts'
import { leaseNumber } from '../src/message-numbers.ts'

it('gateways recreate their leases when the bus returns with an empty disk', async () => {
  const nats = await startOwnNats()
  const bus = await connectBus(nats.url)
  const log = pino({ level: 'silent' })
  let lostCount = 0
  const lease = () => leaseNumber(bus, 'numbers', log, () => lostCount++)
  const leases = [await lease(), await lease()]
  watchBus(bus, () => {
    for (const one of leases) one.renew()
  })
  await nats.wipe()
  const leasedNumbers = async () => {
    const bucket = await new Kvm(bus).open('numbers_gateways')
    const keys: number[] = []
    for await (const key of await bucket.keys()) keys.push(Number(key))
    return keys
  }
  const numbers = leases.map(({ number }) => number)
  await until(async () => {
    const now = await leasedNumbers().catch((): number[] => [])
    return numbers.every((number) => now.includes(number)) ? true : undefined
  })
  const third = await lease()
  expect(numbers).not.toContain(third.number)
  for (const one of [...leases, third]) await one.release()
  expect(lostCount).toBe(0)
  await bus.close()
  await nats.stop()
}, 150_000)
