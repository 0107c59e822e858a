import { SimDevice } from './device.ts'
import { dnyWire } from './dny-wire.ts'
import { type Faults, randomOf } from './faults.ts'
import type { Habits } from './habits.ts'
import { type MqttPlace, mqttWire } from './mqtt-wire.ts'
import { type OcppPlace, ocppWire } from './ocpp-wire.ts'
import { newTally } from './tally.ts'
import type { WireCallbacks, Identity, TcpPlace } from './wire.ts'
import { ykcWire } from './ykc-wire.ts'

export type FleetPlan = {
  identities: readonly Identity[]
  habits: Habits
  faults: Faults
  seed: number
  dny?: TcpPlace | undefined
  mqtt?: MqttPlace | undefined
  ocpp?: OcppPlace | undefined
  ykc?: TcpPlace | undefined
  /** New connections per second. */
  connectsPerSecond: number
}

const tickMs = 100

/** Starts simulated devices, which connect one after the other, charge and report. */
export function startFleet(plan: FleetPlan) {
  const { identities, habits, faults, seed, dny, mqtt, ocpp, ykc, connectsPerSecond } = plan
  const tally = newTally()
  const devices = identities.map((identity, place) => {
    const random = randomOf(seed * 1_000_003 + place)
    const own = { habits, faults, random, tally }
    const wire = (callbacks: WireCallbacks) => {
      if (identity.adapter === 'dny' && dny !== undefined) return dnyWire(identity, dny, faults, random, callbacks)
      if (identity.adapter === 'mqtt-json' && mqtt !== undefined)
        return mqttWire(identity, mqtt, faults, random, callbacks)
      if (identity.adapter === 'ocpp16' && ocpp !== undefined)
        return ocppWire(identity, ocpp, faults, random, callbacks)
      if (identity.adapter === 'ykc' && ykc !== undefined) return ykcWire(identity, ykc, faults, random, callbacks)
      throw new Error(`${identity.deviceNo} has no server to connect to`)
    }
    return new SimDevice(identity, wire, own)
  })
  let connected = 0
  let next = 0
  const timer = setInterval(() => {
    const due = Math.min(devices.length, connected + Math.max(1, Math.round((connectsPerSecond * tickMs) / 1000)))
    for (; connected < due; connected++) devices[connected]?.connect()
    // Each tick handles a tenth of the devices; no action needs more than one check a second.
    const nowMs = Date.now()
    const some = Math.ceil(devices.length / 10)
    for (let count = 0; count < some; count++) devices[(next + count) % devices.length]?.tick(nowMs)
    next = (next + some) % Math.max(1, devices.length)
  }, tickMs)
  return {
    devices,
    tally,
    connected: () => devices.reduce((sum, device) => sum + Number(device.up), 0),
    unacked: () => devices.reduce((sum, device) => sum + device.unacked, 0),
    /** Disconnects all devices at once. */
    storm: () => {
      for (const device of devices) device.cut()
    },
    /** Ends all running charges and starts no further ones. */
    rest: () => {
      for (const device of devices) device.rest(Date.now())
    },
    stop: () => {
      clearInterval(timer)
      for (const device of devices) device.end()
    },
  }
}
