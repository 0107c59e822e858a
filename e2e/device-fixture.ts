import { testConfig } from '../apps/server/test/harness/config.ts'
import { startGatewayProcess } from '../apps/server/test/harness/process.ts'
import { noFaults } from '../apps/simulator/src/faults.ts'
import { startFleet } from '../apps/simulator/src/fleet.ts'
import { realHabits } from '../apps/simulator/src/habits.ts'
import { registerFleet } from '../tools/demo/fleet-data.ts'
import { installation } from './browser.ts'

export type Chargers = Awaited<ReturnType<typeof startChargers>>

/** One device at a site, behind its own gateway, that charges at the maximum that its wire can report. */
export async function startChargers(place: { organiseId: string; siteId: string }, after: number) {
  const [database, config] = [installation.database, testConfig(installation.database)]
  const identities = await registerFleet(database, { ...place, dny: 1, after, mqtt: 0, ports: 10 })
  const gateway = await startGatewayProcess(config)
  const fleet = startFleet({
    identities,
    // So that seconds are billable.
    habits: { ...realHabits, reportMs: 1500, idleMs: 0, chargeMs: 600_000, peakW: [6400, 6401] },
    faults: noFaults,
    seed: 3,
    dny: { host: '127.0.0.1', ports: [gateway.dnyPort] },
    connectsPerSecond: 100,
  })
  return {
    deviceNo: identities[0]?.deviceNo ?? '',
    connected: () => fleet.connected(),
    stop: async () => {
      fleet.stop()
      await gateway.stop()
    },
  }
}
