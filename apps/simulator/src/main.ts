import { readFileSync } from 'node:fs'
import { OpenClient } from '@wattdeck/open-client/open-client.ts'
import { arrivalsPerSecond } from './evening.ts'
import { parseFaults, randomOf } from './faults.ts'
import { startFleet } from './fleet.ts'
import { type Habits, realHabits } from './habits.ts'
import { Members } from './members.ts'
import type { Certificate } from './mqtt-wire.ts'
import type { Identity } from './wire.ts'

/** Input of a fleet: its devices and their gateways. Written by tools/dev/simulate.ts. */
export type FleetFile = {
  identities: Identity[]
  faults: string
  /** Speed-up factor over real devices. */
  speed: number
  seed: number
  connectsPerSecond: number
  /** Interval of the status output. */
  reportEveryS: number
  dny: { host: string; ports: number[] }
  ocpp: { urls: string[] }
  ykc: { host: string; ports: number[] }
  /** Members and the open interface client they use. Without it, charges start at the devices. */
  members?: { url: string; appKey: string; secret: string; ids: string[]; perDay: number } | undefined
  mqtt: { urls: string[]; ca: string; boot: number; certificates: [deviceNo: string, Certificate][] }
}

const file = process.argv[2]
if (file === undefined) throw new Error('missing fleet file; npm run simulate creates one')
const plan = JSON.parse(readFileSync(file, 'utf8')) as FleetFile
const habits: Habits = {
  ...realHabits,
  heartbeatMs: realHabits.heartbeatMs / plan.speed,
  reportMs: realHabits.reportMs / plan.speed,
  chargeMs: realHabits.chargeMs / plan.speed,
  idleMs: plan.members === undefined ? realHabits.idleMs / plan.speed : 0,
  awayMs: Math.max(2000, realHabits.awayMs / plan.speed),
}
const fleet = startFleet({
  ...plan,
  habits,
  faults: parseFaults(plan.faults),
  mqtt: { ...plan.mqtt, certificates: new Map(plan.mqtt.certificates) },
})

const members = plan.members === undefined ? undefined : startMembers(plan.members)

/** The schedule starts at 17:00, when the evening peak begins. */
function startMembers({ ids, perDay, ...settings }: NonNullable<FleetFile['members']>): Members {
  const days = { perDay, startedMs: Date.now(), speed: plan.speed, fromHour: 17, toHour: 41 }
  const simulation = new Members({
    client: new OpenClient(settings),
    memberIds: ids,
    devices: fleet.devices,
    random: randomOf(plan.seed + 1),
    perSecond: (nowMs) => arrivalsPerSecond(days, nowMs),
    chargeMs: habits.chargeMs,
    watchMs: Math.max(2000, 60_000 / plan.speed),
    patienceMs: 600_000 + 2 * habits.chargeMs,
  })
  void simulation.live()
  return simulation
}

let sentBefore = 0
setInterval(() => {
  const { sent } = fleet.tally
  console.log(
    `connected ${fleet.connected()} of ${fleet.devices.length}   sent ${Math.round((sent - sentBefore) / plan.reportEveryS)} a second   records unacked ${fleet.unacked()}`,
  )
  sentBefore = sent
  if (members === undefined) return
  const { came, turnedAway, started, billed, released, review, complained } = members.tally
  console.log(
    `came ${came}   turned away ${turnedAway}   orders ${started.size}   billed ${billed}   released ${released}   in review ${review}   complained ${complained}`,
  )
}, 1000 * plan.reportEveryS)

function storm() {
  console.log('all devices lose their connection')
  fleet.storm()
}
function stop() {
  members?.stop()
  fleet.stop()
  // Leaves time for the disconnects to reach the other side.
  setTimeout(() => process.exit(0), 500)
}
process.on('SIGUSR1', storm)
process.on('SIGINT', stop)
process.on('SIGTERM', stop)
if (process.stdin.isTTY) {
  process.stdin.setRawMode(true)
  process.stdin.on('data', (keys: Buffer) => {
    if (keys.includes('r')) storm()
    // In raw mode the terminal does not turn Ctrl+C into a signal.
    if (keys.includes('q') || keys.includes(3)) stop()
  })
}
