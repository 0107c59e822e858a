import type { NatsConnection } from '@nats-io/transport-node'
import { deviceBus, type DownEnvelope } from '@wattdeck/contract/events/device-bus.ts'
import { plugStatus } from '@wattdeck/device-protocol/plug-status.ts'
import { gatewayPublisher, heartbeat } from '../../apps/server/test/harness/gateway-voice.ts'
import { gateway } from './money-fixture.ts'

const hourMs = 3_600_000
const daySeconds = 86_400
/** Clock errors of devices in days: most are right, one is a year fast, one a year slow. */
const wrongDays = [0, 0, 0, 365, -365, 0, 40, -40, 0, 2]

export type Charge = { deviceId: string; port: number; startMs: number; durationS: number; energyWh: number }
type Device = { id: string; wrongS: number }

/** Devices behind one gateway with the right clock. They accept commands and charge for hours. */
export class YearDevices {
  /** By the order number on the wire. */
  readonly charges = new Map<string, Charge>()
  readonly open = new Set<string>()
  readonly #voice
  readonly #devices: Device[]
  readonly #random

  constructor(bus: NatsConnection, prefix: string, deviceIds: readonly string[], random: () => number) {
    this.#voice = gatewayPublisher(bus, prefix, gateway)
    this.#random = random
    this.#devices = deviceIds.map((id, place) => ({
      id,
      wrongS: (wrongDays[place % wrongDays.length] ?? 0) * daySeconds,
    }))
    bus.subscribe(deviceBus.down(prefix, gateway), {
      callback: (error, message) => {
        if (error !== null) return
        message.respond(JSON.stringify({ absent: [] }))
        for (const { id, d, c } of message.json<DownEnvelope>().items) void this.#obey(id, d, c)
      },
    })
  }

  async #obey(commandId: string, deviceId: string, command: { kind: string }): Promise<void> {
    const { port, orderNo } = command as { kind: string; port?: number; orderNo?: string }
    if (command.kind === 'startPort' && port !== undefined && orderNo !== undefined) {
      // One to ten hours, at most at the 1000 W of the port. The clock leaps, so a device reports up to 6.5 hours after
      // the end; a longer charge would exceed the 14 hours after which a missing bill is reviewed.
      const durationS = Math.floor(3600 + this.#random() * 9 * 3600)
      const energyWh = 1 + Math.floor((this.#random() * 900 * durationS) / 3600)
      this.charges.set(orderNo, { deviceId, port, startMs: Date.now(), durationS, energyWh })
      this.open.add(orderNo)
    }
    const result = { kind: 'commandResult', commandId, ok: true, carriedOut: true }
    await this.#voice.publish([this.#voice.item(deviceId, result)])
  }

  /** A heartbeat of every device. */
  beat(): Promise<void> {
    return this.#voice.publish(this.#devices.map(({ id }) => this.#voice.item(id, heartbeat('free', 'free'))))
  }

  /** Reports the progress of charges. Finished charges send their bill. */
  async speak(): Promise<void> {
    await this.beat()
    const nowMs = Date.now()
    const events = [...this.open].flatMap((orderNo) => {
      const charge = this.charges.get(orderNo)
      if (charge === undefined) return []
      const isOver = nowMs >= charge.startMs + charge.durationS * 1000
      if (isOver) this.open.delete(orderNo)
      return [isOver ? this.#bill(orderNo, charge) : this.#report(orderNo, charge, nowMs)]
    })
    await this.#voice.publish(events)
  }

  #report(orderNo: string, { deviceId, port, startMs, durationS, energyWh }: Charge, nowMs: number) {
    const passedS = Math.floor((nowMs - startMs) / 1000)
    return this.#voice.item(deviceId, {
      kind: 'portReport',
      port,
      status: plugStatus.say('dny', 'working'),
      powerDw: Math.floor((energyWh * 10 * 3600) / durationS),
      energyWh: Math.floor((energyWh * passedS) / durationS),
      durationS: passedS,
      orderNo,
    })
  }

  #bill(orderNo: string, { deviceId, port, startMs, durationS, energyWh }: Charge) {
    const wrongS = this.#devices.find(({ id }) => id === deviceId)?.wrongS ?? 0
    const at = Math.floor(startMs / 1000) + durationS + wrongS
    const bill = { kind: 'settlement', port, orderNo, durationS, energyWh, stopReason: { name: 'full', raw: 1 } }
    return this.#voice.item(deviceId, bill, { r: { key: `${orderNo}/bill`, at } })
  }
}

/** Shanghai has no daylight saving time. */
const shanghaiMs = 8 * hourMs
/** The moment at which a clock in Shanghai shows this time on this day. */
export const shanghaiTime = (dayMs: number, time: string): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return dayMs - shanghaiMs + hours * hourMs + minutes * 60_000
}

/** Whether a schedule of the form `minute * * * *` or `minute hour * * *` was due in this span. */
export function wasDue(cron: string, fromMs: number, toMs: number): boolean {
  const [minute = '', hour = '', ...rest] = cron.split(' ')
  if (!/^\d+$/.test(minute) || !/^(\d+|\*)$/.test(hour) || rest.join('') !== '***')
    throw new Error(`schedule ${cron} has another form`)
  for (let atMs = Math.floor(fromMs / 60_000 + 1) * 60_000; atMs <= toMs; atMs += 60_000) {
    const at = new Date(atMs + shanghaiMs)
    if (at.getUTCMinutes() === Number(minute) && (hour === '*' || at.getUTCHours() === Number(hour))) return true
  }
  return false
}
