import { alarmKind } from '@wattdeck/device-protocol/alarm-kind.ts'
import type { DeviceEvent } from '@wattdeck/device-protocol/message.ts'
import { plugStatus, type PlugStatusName } from '@wattdeck/device-protocol/plug-status.ts'
import type { Protocol } from '@wattdeck/device-protocol/protocol-table.ts'
import { stopReason } from '@wattdeck/device-protocol/stop-reason.ts'
import type { Faults } from './faults.ts'
import type { Hearing, Identity, Wire } from './wire.ts'

/** How often a device says something, and how it is used. All in milliseconds. */
export type Habits = {
  heartbeatMs: number
  reportMs: number
  resendMs: number
  /** How long a charge takes, about. */
  chargeMs: number
  /** How long a port stands idle between two, about; 0: nobody comes. */
  idleMs: number
}
/** Of a real device. */
export const realHabits: Habits = {
  heartbeatMs: 180_000,
  reportMs: 300_000,
  resendMs: 1_800_000,
  chargeMs: 3 * 3_600_000,
  idleMs: 2 * 3_600_000,
}

type Charge = { orderNo: string; startedMs: number; untilMs: number; peakDw: number; energyWh: number }
type Port = { status: PlugStatusName; charge: Charge | undefined; nextMs: number }
export type Tally = { sent: number; records: Set<string>; acked: Map<string, number> }

let orders = 0

/** A device with its ports: what it is used for, what it says of it, and which records it keeps until they are acknowledged. */
export class SimDevice {
  readonly identity: Identity
  readonly #wire: Wire
  readonly #habits: Habits
  readonly #faults: Faults
  readonly #random: () => number
  readonly #tally: Tally
  readonly #ports: Port[]
  /** Kept in its memory until the platform has them. */
  readonly #unacked = new Map<string, { event: DeviceEvent; sentMs: number }>()
  readonly #skewS: number
  #up = false
  #heartbeatAt = 0
  #reportAt = 0

  constructor(
    identity: Identity,
    makeWire: (hear: Hearing) => Wire,
    { habits, faults, random, tally }: { habits: Habits; faults: Faults; random: () => number; tally: Tally },
  ) {
    this.identity = identity
    this.#habits = habits
    this.#faults = faults
    this.#random = random
    this.#tally = tally
    this.#skewS = random() < faults.clockSkew ? Math.floor((random() - 0.5) * 2 * 365 * 86_400) : 0
    this.#ports = Array.from({ length: identity.portCount }, () => ({
      status: 'free',
      charge: undefined,
      nextMs: this.#after(habits.idleMs),
    }))
    this.#wire = makeWire({
      onUp: () => this.#greet(),
      onDown: () => {
        this.#up = false
      },
      onAcked: (key) => {
        this.#unacked.delete(key)
        tally.acked.set(key, (tally.acked.get(key) ?? 0) + 1)
      },
    })
  }

  get unacked(): number {
    return this.#unacked.size
  }
  connect(): void {
    this.#wire.connect()
  }
  cut(): void {
    this.#wire.cut()
  }

  /** Leaves the network for good. */
  end(): void {
    this.#wire.end()
  }
  /** Nobody comes any more; what is charging ends now. */
  rest(nowMs: number): void {
    for (const [place, port] of this.#ports.entries()) {
      this.finish(place + 1, nowMs)
      port.nextMs = Number.POSITIVE_INFINITY
    }
  }

  /** A car or bike comes to a port. */
  plugIn(portNo: number, nowMs: number): void {
    const port = this.#ports[portNo - 1]
    if (port === undefined || port.charge !== undefined) return
    orders += 1
    const peakDw = 800 + Math.floor(this.#random() * 4200)
    const untilMs = nowMs + this.#habits.chargeMs * (0.5 + this.#random())
    // DNY has room for 31 digits.
    const orderNo = `${Date.now()}${String(orders % 1e7).padStart(7, '0')}`
    port.charge = { orderNo, startedMs: nowMs, untilMs, peakDw, energyWh: 0 }
    port.status = 'working'
    this.heartbeat(nowMs)
    this.#report(portNo, port, nowMs)
  }

  heartbeat(nowMs: number): void {
    this.#heartbeatAt = nowMs + this.#habits.heartbeatMs * (0.9 + 0.2 * this.#random())
    const status = this.#ports.map((port) => plugStatus.say(this.#protocol, port.status as 'free'))
    this.#say({
      kind: 'heartbeat',
      ports: status,
      voltageDv: 2150 + Math.floor(this.#random() * 150),
      temperatureC: 18 + Math.floor(this.#random() * 20),
      ...(this.#protocol === 'dny' ? { localSignal: 0 } : { csq: 12 + Math.floor(this.#random() * 19) }),
    })
  }

  /** Called often; does whatever is due. */
  tick(nowMs: number): void {
    if (this.#habits.idleMs > 0) this.#use(nowMs)
    if (!this.#up) return
    if (nowMs >= this.#heartbeatAt) this.heartbeat(nowMs)
    if (nowMs >= this.#reportAt) {
      this.#reportAt = nowMs + this.#habits.reportMs * (0.9 + 0.2 * this.#random())
      for (const [place, port] of this.#ports.entries()) if (port.charge) this.#report(place + 1, port, nowMs)
      if (this.#random() < this.#faults.alarm) this.alarm(this.#random() < 0.5 ? 'smoke' : 'heat')
      if (this.#random() < this.#faults.garbage) this.#wire.sendGarbage()
    }
    for (const [key, record] of this.#unacked)
      if (nowMs - record.sentMs >= this.#habits.resendMs) this.#sendRecord(key, record, nowMs)
  }

  alarm(name: 'smoke' | 'heat'): void {
    this.#say({ kind: 'alarm', alarm: alarmKind.say(this.#protocol, name), sensor: 0, inputs: 0 })
  }

  /** The charge at a port ends, and the device will not rest until the platform knows. */
  finish(portNo: number, nowMs: number): void {
    const port = this.#ports[portNo - 1]
    const charge = port?.charge
    if (port === undefined || charge === undefined) return
    this.#grow(charge, nowMs)
    port.charge = undefined
    port.status = 'free'
    port.nextMs = this.#after(this.#habits.idleMs)
    const event: DeviceEvent = {
      kind: 'settlement',
      port: portNo,
      durationS: Math.min(65_535, Math.round((nowMs - charge.startedMs) / 1000)),
      energyWh: Math.round(charge.energyWh / 10) * 10,
      maxPowerDw: charge.peakDw,
      stopReason: stopReason.say(this.#protocol, 'full'),
      orderNo: charge.orderNo,
      deviceTimeS: this.#clockS(nowMs),
    }
    const key = `${charge.orderNo}:${portNo}`
    const record = { event, sentMs: 0 }
    this.#tally.records.add(key)
    this.#unacked.set(key, record)
    this.#sendRecord(key, record, nowMs)
    this.heartbeat(nowMs)
  }

  #use(nowMs: number): void {
    for (const [place, port] of this.#ports.entries()) {
      if (port.charge === undefined && nowMs >= port.nextMs) this.plugIn(place + 1, nowMs)
      else if (port.charge !== undefined && nowMs >= port.charge.untilMs) this.finish(place + 1, nowMs)
    }
  }

  #greet(): void {
    this.#up = true
    const nowMs = Date.now()
    this.#say({ kind: 'register', firmware: '1.26', portCount: this.identity.portCount, model: '0a' })
    this.heartbeat(nowMs)
    this.#reportAt = nowMs + this.#habits.reportMs * this.#random()
    for (const [key, record] of this.#unacked) this.#sendRecord(key, record, nowMs)
  }

  #report(portNo: number, port: Port, nowMs: number): void {
    const { charge } = port
    if (charge === undefined) return
    this.#grow(charge, nowMs)
    const powerDw = powerOf(charge, nowMs)
    this.#say({
      kind: 'portReport',
      port: portNo,
      status: plugStatus.say(this.#protocol, 'working'),
      powerDw,
      energyWh: Math.round(charge.energyWh / 10) * 10,
      durationS: Math.min(65_535, Math.round((nowMs - charge.startedMs) / 1000)),
      orderNo: charge.orderNo,
      voltageDv: 2200,
      currentMa: Math.round((powerDw * 1000) / 2200),
      temperatureC: 25 + Math.floor(powerDw / 500),
      deviceTimeS: this.#clockS(nowMs),
    })
  }

  #sendRecord(key: string, record: { event: DeviceEvent; sentMs: number }, nowMs: number): void {
    record.sentMs = nowMs
    if (this.#up) this.#wire.sendRecord(key, record.event)
  }
  #say(event: DeviceEvent): void {
    this.#tally.sent += 1
    this.#wire.send(event)
  }
  #grow(charge: Charge, nowMs: number): void {
    charge.energyWh = (powerOf(charge, nowMs) / 10) * ((nowMs - charge.startedMs) / 3_600_000)
  }
  #after(ms: number): number {
    return Date.now() + ms * (0.2 + 1.6 * this.#random())
  }
  #clockS(nowMs: number): number {
    return Math.floor(nowMs / 1000) + this.#skewS
  }
  get #protocol(): Extract<Protocol, 'dny' | 'mqttJson'> {
    return this.identity.adapter === 'dny' ? 'dny' : 'mqttJson'
  }
}

/** Constant current for most of the time, then less and less, as batteries take it. */
function powerOf({ startedMs, untilMs, peakDw }: Charge, nowMs: number): number {
  const share = Math.min(1, (nowMs - startedMs) / Math.max(1, untilMs - startedMs))
  return Math.round(share < 0.7 ? peakDw * (0.95 + 0.05 * Math.sin(share * 40)) : peakDw * (1 - (share - 0.7) / 0.35))
}
