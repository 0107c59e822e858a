import { readFileSync } from 'node:fs'
import { OpenClient } from '@wattdeck/open-client/open-client.ts'
import { arrivalsPerSecond } from './evening.ts'
import { parseFaults, randomOf } from './faults.ts'
import { startFleet } from './fleet.ts'
import { type Habits, realHabits } from './habits.ts'
import { Members } from './members.ts'
import type { Certificate } from './mqtt-wire.ts'
import type { Identity } from './wire.ts'

/** What a fleet is told: who its devices are and where they connect to. Written by tools/dev/simulate.ts. */
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
  /** Who charges, and the program they do it with. Without them the ports are used by nobody in particular. */
  members?: { url: string; appKey: string; secret: string; ids: string[]; perDay: number } | undefined
  mqtt: { urls: string[]; ca: string; boot: number; certificates: [deviceNo: string, Certificate][] }
}

const file = process.argv[2]
if (file === undefined) throw new Error('which fleet? npm run simulate makes one')
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

/** It is five in the afternoon: people come home. */
function startMembers({ ids, perDay, ...settings }: NonNullable<FleetFile['members']>): Members {
  const days = { perDay, startedMs: Date.now(), speed: plan.speed, fromHour: 17, toHour: 41 }
  const made = new Members({
    client: new OpenClient(settings),
    memberIds: ids,
    devices: fleet.devices,
    random: randomOf(plan.seed + 1),
    perSecond: (nowMs) => arrivalsPerSecond(days, nowMs),
    chargeMs: habits.chargeMs,
    watchMs: Math.max(2000, 60_000 / plan.speed),
    patienceMs: 600_000 + 2 * habits.chargeMs,
  })
  void made.live()
  return made
}

let sentBefore = 0
setInterval(() => {
  const { sent } = fleet.tally
  console.log(
    `connected ${fleet.connected()} of ${fleet.devices.length}   sent ${Math.round((sent - sentBefore) / plan.tellEveryS)} a second   records unacked ${fleet.unacked()}`,
  )
  sentBefore = sent
  if (members === undefined) return
  const { came, turnedAway, started, billed, released, review, complained } = members.tally
  console.log(
    `came ${came}   turned away ${turnedAway}   orders ${started.size}   billed ${billed}   released ${released}   in review ${review}   complained ${complained}`,
  )
}, 1000 * plan.tellEveryS)

function storm() {
  console.log('everybody loses the line')
  fleet.storm()
}
function stop() {
  members?.stop()
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
