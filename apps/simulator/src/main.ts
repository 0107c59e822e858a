import { readFileSync } from 'node:fs'
import { type Habits, realHabits } from './device.ts'
import { parseFaults } from './faults.ts'
import { startFleet } from './fleet.ts'
import type { Certificate } from './mqtt-wire.ts'
import type { Identity } from './wire.ts'

/** What a fleet is told: who its devices are and where they connect to. Written by tools/simulate.ts. */
export type FleetFile = {
  identities: Identity[]
  faults: string
  /** How many times faster than real devices these live. */
  speed: number
  seed: number
  connectsPerSecond: number
  /** How often it says how it is. */
  tellEveryS: number
  dny: { host: string; ports: number[] }
  ocpp: { urls: string[] }
  ykc: { host: string; ports: number[] }
  mqtt: { urls: string[]; ca: string; boot: number; certificates: [deviceNo: string, Certificate][] }
}

const file = process.argv[2]
if (file === undefined) throw new Error('which fleet? npm run simulate makes one')
const plan = JSON.parse(readFileSync(file, 'utf8')) as FleetFile
const habits: Habits = {
  heartbeatMs: realHabits.heartbeatMs / plan.speed,
  reportMs: realHabits.reportMs / plan.speed,
  chargeMs: realHabits.chargeMs / plan.speed,
  idleMs: realHabits.idleMs / plan.speed,
}
const fleet = startFleet({
  ...plan,
  habits,
  faults: parseFaults(plan.faults),
  mqtt: { ...plan.mqtt, certificates: new Map(plan.mqtt.certificates) },
})

let sentBefore = 0
setInterval(() => {
  const { sent } = fleet.tally
  console.log(
    `connected ${fleet.connected()} of ${fleet.devices.length}   sent ${Math.round((sent - sentBefore) / plan.tellEveryS)} a second   records unacked ${fleet.unacked()}`,
  )
  sentBefore = sent
}, 1000 * plan.tellEveryS)

function storm() {
  console.log('everybody loses the line')
  fleet.storm()
}
function stop() {
  fleet.stop()
  // Lines that are cut have to reach the other side.
  setTimeout(() => process.exit(0), 500)
}
process.on('SIGUSR1', storm)
process.on('SIGINT', stop)
process.on('SIGTERM', stop)
if (process.stdin.isTTY) {
  process.stdin.setRawMode(true)
  process.stdin.on('data', (keys: Buffer) => {
    if (keys.includes('r')) storm()
    // In raw mode nobody else turns Ctrl+C into a signal.
    if (keys.includes('q') || keys.includes(3)) stop()
  })
}
