import { alarmKind } from '@wattdeck/device-protocol/alarm-kind.ts'
import type { DeviceEvent } from '@wattdeck/device-protocol/message.ts'
import { upKinds } from '@wattdeck/device-protocol/mqtt-json/up.ts'
import { plugStatus, type PlugStatusName } from '@wattdeck/device-protocol/plug-status.ts'
import type { Protocol } from '@wattdeck/device-protocol/protocol-table.ts'
import { stopReason } from '@wattdeck/device-protocol/stop-reason.ts'
import { type Charge, powerOf } from './charge.ts'
import type { Faults } from './faults.ts'
import { Obeying, type Temper } from './obeying.ts'
import type { Hearing, Identity, Wire } from './wire.ts'
import { protocols, say } from './words.ts'

/** How often a device says something, and how it is used. All in milliseconds. */
export type Habits = {
  heartbeatMs: number
  reportMs: number
  /** Undefined: as the protocol says. */
  resendMs?: number | undefined
  /** How long a charge takes, about. */
  chargeMs: number
  /** How long a port stands idle between two, about; 0: nobody comes. */
  idleMs: number
}
/** Of a real device. */
export const realHabits: Habits = {
  heartbeatMs: 180_000,
  reportMs: 300_000,
  chargeMs: 3 * 3_600_000,
  idleMs: 2 * 3_600_000,
}

type Port = { status: PlugStatusName; charge: Charge | undefined; nextMs: number }
type Kept = { event: DeviceEvent; sentMs: number; times: number }
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
  readonly #unacked = new Map<string, Kept>()
  readonly #skewS: number
  readonly #obeying: Obeying
  #up = false
  #alarms = 0
  #results = 0
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
    this.#obeying = this.#makeObeying({ refuses: random() < faults.refuse, mute: random() < faults.mute })
    this.#wire = makeWire({
      onCommand: (command, answer) => this.#obeying.hear(command, answer),
      onResult: (result) => {
        this.#results += 1
        this.#keep(`${identity.deviceNo}:result:${this.#results}`, result, Date.now())
      },
      onUp: () => this.#greet(),
      onDown: () => {
        this.#up = false
      },
      onAcked: (key) => {
        this.#unacked.delete(key)
        if (tally.records.has(key)) tally.acked.set(key, (tally.acked.get(key) ?? 0) + 1)
      },
    })
  }

  get up(): boolean {
    return this.#up
  }
  /** The next command has reached it. */
  onceTold(act: () => void): void {
    this.#obeying.onceTold = act
  }
  /** How often it was restarted by a command. */
  get restarts(): number {
    return this.#obeying.restarts
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
    orders += 1
    // DNY has room for 31 digits.
    const orderNo = `${Date.now()}${String(orders % 1e7).padStart(7, '0')}`
    this.#begin(portNo, orderNo, nowMs, this.#habits.chargeMs * (0.5 + this.#random()))
  }

  #begin(portNo: number, orderNo: string, nowMs: number, durationMs: number): void {
    const port = this.#ports[portNo - 1]
    if (port === undefined || port.charge !== undefined) return
    const peakDw = 800 + Math.floor(this.#random() * 4200)
    const untilMs = nowMs + durationMs
    port.charge = { orderNo, startedMs: nowMs, untilMs, peakDw, energyWh: 0 }
    port.status = 'working'
    this.heartbeat(nowMs)
    this.#report(portNo, port, nowMs)
  }

  heartbeat(nowMs: number): void {
    this.#heartbeatAt = nowMs + this.#habits.heartbeatMs * (0.9 + 0.2 * this.#random())
    const status = this.#ports.map((port) => say(plugStatus, this.#protocol, port.status))
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
    for (const [key, record] of this.#unacked) {
      const waitMs = this.#habits.resendMs ?? this.#wire.resendAfterMs(record.times)
      if (nowMs - record.sentMs >= waitMs) this.#sendRecord(key, record, nowMs)
    }
  }

  alarm(name: 'smoke' | 'heat'): void {
    const event: DeviceEvent = { kind: 'alarm', alarm: say(alarmKind, this.#protocol, name), sensor: 0, inputs: 0 }
    this.#alarms += 1
    if (this.#keeps('alarm')) this.#keep(`${this.identity.deviceNo}:alarm:${this.#alarms}`, event, Date.now())
    else this.#say(event)
  }

  /** The charge at a port ends, and the device will not rest until the platform knows. */
  finish(portNo: number, nowMs: number, why: 'full' | 'remote' = 'full'): void {
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
      stopReason: say(stopReason, this.#protocol, why),
      orderNo: charge.orderNo,
      deviceTimeS: this.#clockS(nowMs),
    }
    const key = `${charge.orderNo}:${portNo}`
    this.#tally.records.add(key)
    this.#keep(key, event, nowMs)
    this.heartbeat(nowMs)
  }

  #makeObeying(temper: Temper): Obeying {
    const chargeAt = (port: number) => this.#ports[port - 1]?.charge
    const hands = {
      portCount: this.identity.portCount,
      orderAt: (port: number) => chargeAt(port)?.orderNo,
      begin: (port: number, orderNo: string, durationMs = this.#habits.chargeMs) =>
        this.#begin(port, orderNo, Date.now(), durationMs),
      finish: (port: number) => this.finish(port, Date.now(), 'remote'),
      prolong: (port: number, durationMs: number) => {
        const charge = chargeAt(port)
        if (charge !== undefined) charge.untilMs = charge.startedMs + durationMs
      },
      introduce: () => this.#introduce(Date.now()),
      restart: () => this.#wire.restart(),
    }
    return new Obeying(hands, temper)
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
    const waiting = [...this.#unacked]
    this.#introduce(nowMs)
    this.#reportAt = nowMs + this.#habits.reportMs * this.#random()
    for (const [key, record] of waiting) this.#sendRecord(key, record, nowMs)
  }

  #introduce(nowMs: number): void {
    const { portCount, deviceNo, iccid } = this.identity
    const facts = { kind: 'register' as const, firmware: '1.26', portCount, model: '0a' }
    // With DNY the modem has told the card already.
    if (this.#keeps('register')) this.#keep(`${deviceNo}:register`, { ...facts, iccid }, nowMs)
    else this.#say(facts)
    this.heartbeat(nowMs)
  }

  #report(portNo: number, port: Port, nowMs: number): void {
    const { charge } = port
    if (charge === undefined) return
    this.#grow(charge, nowMs)
    const powerDw = powerOf(charge, nowMs)
    this.#say({
      kind: 'portReport',
      port: portNo,
      status: say(plugStatus, this.#protocol, 'working'),
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

  /** Settlements whatever the protocol, others where it says so. */
  #keeps(kind: 'alarm' | 'register'): boolean {
    return this.#protocol === 'mqttJson' && upKinds[kind].kept
  }
  #keep(key: string, event: DeviceEvent, nowMs: number): void {
    const record = { event, sentMs: 0, times: 0 }
    this.#unacked.set(key, record)
    this.#sendRecord(key, record, nowMs)
  }
  #sendRecord(key: string, record: Kept, nowMs: number): void {
    record.sentMs = nowMs
    if (!this.#up) return
    record.times += 1
    this.#tally.sent += 1
    this.#wire.sendRecord(key, record.event)
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
  get #protocol(): Protocol {
    return protocols[this.identity.adapter]
  }
}
