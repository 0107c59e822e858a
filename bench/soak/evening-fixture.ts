import { makeBroker } from '../../apps/gateway/test/mqtt-broker.ts'
import { freePort } from '../../apps/server/test/harness/process.ts'
import { type Faults, noFaults } from '../../apps/simulator/src/faults.ts'
import { startFleet } from '../../apps/simulator/src/fleet.ts'
import { type Habits, realHabits } from '../../apps/simulator/src/habits.ts'
import type { Identity } from '../../apps/simulator/src/wire.ts'
import { makePlace, startFen } from './money-fixture.ts'

export const database = 'wattdeck_evening'
const socketPorts = 10

/** Of a hundred ports: DNY and MQTT sockets with ten ports each, OCPP and YKC chargers with two. */
const shares = { dny: 60, mqtt: 25, ocpp: 10, ykc: 5 }

export async function makeEveningFixture(secretKeys: string[], ports: number) {
  await makePlace(database)
  const { asSuperuser } = await import('../../tools/ops/database.ts')
  const { makePayers } = await import('../../tools/demo/load-clients.ts')
  const { registerFleet } = await import('../../tools/demo/fleet-data.ts')
  const count = (of: keyof typeof shares, each: number) =>
    Math.max(leastChargers, Math.round((ports * shares[of]) / 100 / each))
  const identities = await registerFleet(database, {
    organiseId: '2',
    siteId: '3',
    dny: count('dny', socketPorts),
    mqtt: count('mqtt', socketPorts),
    ocpp: count('ocpp', 2),
    ykc: count('ykc', 2),
    ports: socketPorts,
  })
  // 7 kW a port, so that a charge of seconds costs more than nothing.
  await asSuperuser(database, (sql) => sql.query('update device_type set rated_w = 3500 * port_count'))
  const payers = await makePayers(database, { organiseId: '2', secretKeys, members: ports, fen: startFen })
  return { identities, ...payers }
}

/** Seconds instead of hours: the platform rejects a device that reports more than the elapsed time. */
const habits: Omit<Habits, 'chargeMs'> = {
  ...realHabits,
  heartbeatMs: 30_000,
  reportMs: 4000,
  resendMs: 10_000,
  idleMs: 0,
  peakW: [2000, 6000],
  awayMs: 5000,
  // The price of the money run: 51 yuan.
  priceE5: 5_100_000,
}

/** Some devices have connection faults and others meter faults: a lost connection can lose the faulty report itself. */
const lineFaults: Faults = { ...noFaults, offline: 0.02, lateBill: 0.03, repeatBill: 0.05, refuse: 0.02 }
const meterFaults: Faults = { ...noFaults, wrongMeter: 0.05, backwards: 0.06, repeatBill: 0.05 }

export type Lines = { dnyPort: number; ocppPort: number; ykcPort: number }
/** `faultFactor` multiplies the fault rates, so that every kind occurs in a short run. */
export type Wrong = { seed: number; chargeMs: number; quietMs: number; lateStart: number; faultFactor: number }
/** The minimum of each protocol: two of four have meter faults. */
const leastChargers = 4

/** Starts all devices. One in three of each protocol has meter faults, and one device refuses every command. */
export async function startChargers(
  identities: readonly Identity[],
  broker: Awaited<ReturnType<typeof makeBroker>>,
  gateways: readonly Lines[],
  { seed, chargeMs, quietMs, lateStart, faultFactor }: Wrong,
) {
  const mqttNos = identities.filter(({ adapter }) => adapter === 'mqtt-json').map(({ deviceNo }) => deviceNo)
  const certificates = broker.ca.issue(mqttNos)
  const start = (own: Identity[], faults: Faults) =>
    startFleet({
      identities: own,
      habits: { ...habits, chargeMs, quietMs },
      faults,
      seed,
      dny: { host: '127.0.0.1', ports: gateways.map(({ dnyPort }) => dnyPort) },
      mqtt: { urls: [broker.deviceUrl], ca: broker.ca.platformCa, certificates, boot: 1 },
      ocpp: { urls: gateways.map(({ ocppPort }) => `ws://127.0.0.1:${ocppPort}`) },
      ykc: { host: '127.0.0.1', ports: gateways.map(({ ykcPort }) => ykcPort) },
      connectsPerSecond: 100,
    })
  const byAdapter = [...Map.groupBy(identities, ({ adapter }) => adapter).values()]
  const meters = byAdapter.flatMap((own) => own.filter((_, place) => place % 3 === 0))
  const others = byAdapter.flatMap((own) => own.filter((_, place) => place % 3 !== 0))
  const refusing = others.find(({ adapter }) => adapter === 'ocpp16')
  const lines = others.filter((identity) => identity !== refusing)
  const { offline, lateBill, repeatBill } = lineFaults
  const { wrongMeter, backwards } = meterFaults
  const often = (rate: number) => rate * faultFactor
  const onLines = { ...lineFaults, offline: often(offline), lateBill: often(lateBill), repeatBill: often(repeatBill) }
  const onMeters = { ...meterFaults, wrongMeter: often(wrongMeter), backwards: often(backwards) }
  const fleets = [
    start(refusing === undefined ? [] : [refusing], { ...noFaults, refuse: 1 }),
    start(lines, onLines),
    start(
      meters.filter(({ adapter }) => adapter !== 'ykc'),
      { ...onMeters, lateStart },
    ),
    // Only this protocol reports the meter value at the start.
    start(
      meters.filter(({ adapter }) => adapter === 'ykc'),
      { ...onMeters, zeroBaseline: Math.min(0.6, often(0.5)) },
    ),
  ]
  const merged = <T>(of: (fleet: (typeof fleets)[number]) => Map<string, T>) =>
    new Map(fleets.flatMap((fleet) => [...of(fleet)]))
  return {
    devices: fleets.flatMap((fleet) => fleet.devices),
    faults: () => merged(({ tally }) => tally.faults),
    bills: () => merged(({ tally }) => tally.bills),
    unacked: () => fleets.reduce((sum, fleet) => sum + fleet.unacked(), 0),
    stop: () => {
      for (const fleet of fleets) fleet.stop()
    },
  }
}

export const openBroker = () => makeBroker(freePort)
