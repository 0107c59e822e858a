import { alarmKind } from '@wattdeck/device-protocol/alarm-kind.ts'
import type { ChargeLimit, DeviceEvent } from '@wattdeck/device-protocol/message.ts'
import { upKinds } from '@wattdeck/device-protocol/mqtt-json/up.ts'
import type { PlugStatusName } from '@wattdeck/device-protocol/plug-status.ts'
import type { Protocol } from '@wattdeck/device-protocol/protocol-table.ts'
import type { StopReasonName } from '@wattdeck/device-protocol/stop-reason.ts'
import { CardReader } from './card-reader.ts'
import * as charging from './charge.ts'
import { chargeFault, type Faults } from './faults.ts'
import type { Habits } from './habits.ts'
import { Obeying, type Temper } from './obeying.ts'
import { Records } from './records.ts'
import type { Tally } from './tally.ts'
import type { WireCallbacks, Identity, Wire } from './wire.ts'
import { heartbeatOf, newOrderNo, protocols, say } from './labels.ts'

type Port = {
  status: PlugStatusName
  charge: charging.Charge | undefined
  nextMs: number
  /** Lifetime total of its meter. */
  meterWh: number
}
/** Error of a misread meter. */
const misreadWh = 100

/** A simulated device: its ports, their charges and reports, and the records it keeps until they are acknowledged. */
export class SimDevice {
  readonly identity: Identity
  readonly cards: CardReader
  readonly #wire: Wire
  readonly #habits: Habits
  readonly #faults: Faults
  readonly #random: () => number
  readonly #tally: Tally
  readonly #ports: Port[]
  readonly #records: Records
  readonly #skewS: number
  readonly #obeying: Obeying
  #up = false
  #alarms = 0
  #results = 0
  #heartbeatAt = 0
  #reportAt = 0

  constructor(
    identity: Identity,
    makeWire: (callbacks: WireCallbacks) => Wire,
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
      meterWh: 1000 + Math.floor(random() * 1_000_000),
    }))
    this.#obeying = this.#makeObeying({ refuses: random() < faults.refuse, mute: random() < faults.mute })
    this.cards = new CardReader({
      send: (event) => this.#sendEvent(event),
      begin: (port, orderNo) => void this.#begin(port, orderNo, Date.now(), { by: 'full' }),
    })
    this.#wire = makeWire({
      onCard: (answer) => this.cards.recordDecision(answer),
      onCommand: (command, answer) => this.#obeying.handleCommand(command, answer),
      onResult: (result) => {
        this.#results += 1
        this.#records.keep(`${identity.deviceNo}:result:${this.#results}`, result, Date.now())
      },
      onUp: () => this.#greet(),
      onDown: () => {
        this.#up = false
      },
      onAcked: (key) => {
        this.#records.acked(key)
        if (tally.records.has(key)) tally.acked.set(key, (tally.acked.get(key) ?? 0) + 1)
      },
    })
    this.#records = new Records((key, event, copies) => {
      if (!this.#up) return false
      tally.sent += copies
      this.#wire.sendRecord(key, event, copies)
      return true
    })
  }

  get up(): boolean {
    return this.#up
  }
  /** Calls `act` when the next command arrives. */
  onNextCommand(act: () => void): void {
    this.#obeying.onNextCommand = act
  }
  /** Number of restarts by command. */
  get restarts(): number {
    return this.#obeying.restarts
  }
  get unacked(): number {
    return this.#records.size
  }
  connect(): void {
    this.#wire.connect()
  }
  cut(forMs = 0): void {
    // The device's side of the connection notices at once.
    if (forMs > 0) this.#up = false
    this.#wire.cut(forMs)
  }
  /** The order charging at a port, if any. */
  orderAt(portNo: number): string | undefined {
    return this.#ports[portNo - 1]?.charge?.orderNo
  }

  /** Disconnects permanently. */
  end(): void {
    this.#wire.end()
  }
  /** Ends all running charges and starts no further ones. */
  rest(nowMs: number): void {
    for (const [place, port] of this.#ports.entries()) {
      this.finish(place + 1, nowMs)
      port.nextMs = Number.POSITIVE_INFINITY
    }
  }

  /** A vehicle plugs in at a port. */
  plugIn(portNo: number, nowMs: number): void {
    this.#begin(portNo, newOrderNo(), nowMs, { by: 'full' })
  }

  /** Returns whether the device reports the start. */
  #begin(portNo: number, orderNo: string, nowMs: number, limit: ChargeLimit): boolean {
    const port = this.#ports[portNo - 1]
    if (port === undefined || port.charge !== undefined) return true
    const [fromW, toW] = this.#habits.peakW
    const peakDw = Math.floor(10 * (fromW + this.#random() * (toW - fromW)))
    const fullInMs = this.#habits.chargeMs * (0.5 + this.#random())
    const fault = chargeFault(this.#faults, this.#random)
    const quietUntilMs = fault === 'lateStart' ? nowMs + this.#habits.quietMs : 0
    port.charge = charging.newCharge({ orderNo, peakDw, fault, nowMs, fullInMs, quietUntilMs }, limit)
    if (quietUntilMs > 0) {
      this.#wentWrong(port.charge)
      port.charge.fullMs = port.charge.untilMs = quietUntilMs + fullInMs
      return false
    }
    port.status = 'working'
    this.heartbeat(nowMs)
    this.#report(portNo, port, nowMs)
    return true
  }

  heartbeat(nowMs: number): void {
    this.#heartbeatAt = nowMs + this.#habits.heartbeatMs * (0.9 + 0.2 * this.#random())
    const status = this.#ports.map((port) => port.status)
    this.#sendEvent(heartbeatOf(this.#protocol, status, this.#random))
  }

  /** Periodic tick: performs due actions. */
  tick(nowMs: number): void {
    this.#use(nowMs)
    if (!this.#up) return
    if (nowMs >= this.#heartbeatAt) this.heartbeat(nowMs)
    if (nowMs >= this.#reportAt) {
      this.#reportAt = nowMs + this.#habits.reportMs * (0.9 + 0.2 * this.#random())
      for (const [place, port] of this.#ports.entries()) if (port.charge) this.#report(place + 1, port, nowMs)
      if (this.#random() < this.#faults.alarm) this.alarm(this.#random() < 0.5 ? 'smoke' : 'heat')
      if (this.#random() < this.#faults.garbage) this.#wire.sendGarbage()
    }
    this.#records.resend(nowMs, (times) => this.#habits.resendMs ?? this.#wire.resendAfterMs(times))
  }

  alarm(name: 'smoke' | 'heat'): void {
    const event: DeviceEvent = { kind: 'alarm', alarm: say(alarmKind, this.#protocol, name), sensor: 0, inputs: 0 }
    this.#alarms += 1
    if (this.#keeps('alarm')) this.#records.keep(`${this.identity.deviceNo}:alarm:${this.#alarms}`, event, Date.now())
    else this.#sendEvent(event)
  }

  /** Ends the charge at a port; its settlement is resent until the platform acknowledges it. */
  finish(portNo: number, nowMs: number, why: StopReasonName = 'full'): void {
    const port = this.#ports[portNo - 1]
    const charge = port?.charge
    // A silent port does not react either.
    if (port === undefined || charge === undefined || nowMs < charge.quietUntilMs) return
    charging.count(charge, nowMs)
    port.charge = undefined
    port.status = 'free'
    port.nextMs = this.#after(this.#habits.idleMs)
    const { meterWh } = port
    const event = charging.settlementOf(charge, this.#saying(portNo, nowMs), why, {
      meterWh,
      priceE5: this.#habits.priceE5,
    })
    port.meterWh += event.energyWh
    const key = `${charge.orderNo}:${portNo}`
    this.#tally.records.add(key)
    this.#tally.bills.set(charge.orderNo, event)
    const { fault } = charge
    if (charging.isWrongAtEnd(charge, event)) this.#wentWrong(charge)
    if (fault === 'lateBill') this.cut(this.#habits.awayMs)
    this.#records.keep(key, event, nowMs, fault === 'repeatBill' ? 3 : 1)
    this.heartbeat(nowMs)
  }

  #makeObeying(temper: Temper): Obeying {
    const hands = {
      portCount: this.identity.portCount,
      orderAt: (port: number) => this.orderAt(port),
      begin: (port: number, orderNo: string, limit: ChargeLimit) => this.#begin(port, orderNo, Date.now(), limit),
      finish: (port: number) => this.finish(port, Date.now(), 'remote'),
      change: (port: number, limit: ChargeLimit) => {
        const charge = this.#ports[port - 1]?.charge
        if (charge !== undefined) charging.changeLimit(charge, limit)
      },
      introduce: () => this.#introduce(Date.now()),
      restart: () => this.#wire.restart(),
    }
    return new Obeying(hands, temper)
  }

  #use(nowMs: number): void {
    for (const [place, port] of this.#ports.entries()) {
      const { charge } = port
      if (charge === undefined) {
        if (this.#habits.idleMs > 0 && nowMs >= port.nextMs) this.plugIn(place + 1, nowMs)
        continue
      }
      charging.count(charge, nowMs)
      const why = charging.endOf(charge, nowMs)
      if (why !== undefined) this.finish(place + 1, nowMs, why)
      else if (charging.isHalfDone(charge, nowMs)) this.#goWrong(place + 1, port, charge, nowMs)
    }
  }

  /** Applies the fault in the middle of a charge, once. */
  #goWrong(portNo: number, port: Port, charge: charging.Charge, nowMs: number): void {
    const { fault } = charge
    if (!this.#up || this.#tally.faults.has(charge.orderNo)) return
    if (fault !== 'offline' && fault !== 'backwards') return
    this.#wentWrong(charge)
    if (fault === 'offline') this.cut(this.#habits.awayMs)
    else this.#report(portNo, port, nowMs, misreadWh)
  }
  #wentWrong({ orderNo, fault }: charging.Charge): void {
    if (fault !== undefined) this.#tally.faults.set(orderNo, fault)
  }

  #greet(): void {
    this.#up = true
    const nowMs = Date.now()
    const sendAgain = this.#records.waiting()
    this.#introduce(nowMs)
    this.#reportAt = nowMs + this.#habits.reportMs * this.#random()
    sendAgain(nowMs)
  }

  #introduce(nowMs: number): void {
    const { portCount, deviceNo, iccid } = this.identity
    const facts = { kind: 'register' as const, firmware: '1.26', portCount, model: '0a' }
    // With DNY the modem has already sent its ICCID.
    if (this.#keeps('register')) this.#records.keep(`${deviceNo}:register`, { ...facts, iccid }, nowMs)
    else this.#sendEvent(facts)
    this.heartbeat(nowMs)
  }

  #report(portNo: number, port: Port, nowMs: number, misread = 0): void {
    const { charge } = port
    if (charge === undefined || nowMs < charge.quietUntilMs) return
    port.status = 'working'
    charging.count(charge, nowMs)
    this.#sendEvent(charging.reportOf(charge, this.#saying(portNo, nowMs), misread))
  }
  #saying(port: number, nowMs: number) {
    return { protocol: this.#protocol, port, nowMs, deviceTimeS: this.#clockS(nowMs) }
  }

  /** Whether the protocol keeps this kind until it is acknowledged; settlements are always kept. */
  #keeps(kind: 'alarm' | 'register'): boolean {
    return this.#protocol === 'mqttJson' && upKinds[kind].kept
  }
  #sendEvent(event: DeviceEvent): void {
    this.#tally.sent += 1
    this.#wire.send(event)
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
