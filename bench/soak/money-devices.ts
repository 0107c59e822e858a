import { setTimeout as sleep } from 'node:timers/promises'
import type { NatsConnection } from '@nats-io/transport-node'
import { deviceBus, type DownEnvelope } from '@wattdeck/contract/events/device-bus.ts'
import { gatewayPublisher } from '../../apps/server/test/harness/gateway-voice.ts'
import { gateway } from './money-fixture.ts'

/** All devices behind one gateway: they accept or refuse commands, and send their bills, some more than once. */
export class Chargers {
  readonly bills = new Map<string, number>()
  readonly #voice
  readonly #random
  constructor(bus: NatsConnection, prefix: string, random: () => number) {
    this.#voice = gatewayPublisher(bus, prefix, gateway)
    this.#random = random
    const subscription = bus.subscribe(deviceBus.down(prefix, gateway))
    void (async () => {
      for await (const message of subscription) {
        const { items } = message.json<DownEnvelope>()
        message.respond(JSON.stringify({ absent: [] }))
        for (const { id, d, c } of items) void this.#obey(id, d, c as unknown as { port: number; orderNo: string })
      }
    })()
  }

  async #obey(commandId: string, d: string, { port, orderNo }: { port: number; orderNo: string }) {
    const ok = this.#random() > 0.05
    const refusal = { name: 'unplugged', raw: 2 }
    await this.#publish(d, { kind: 'commandResult', commandId, ok, carriedOut: ok, ...(ok ? {} : { refusal }) })
    if (!ok) return
    const energyWh = this.#random() < 0.04 ? 90_000 : 1 + Math.floor(this.#random() * 30)
    this.bills.set(orderNo, energyWh)
    const bill = { kind: 'settlement', port, orderNo, durationS: 1, energyWh, stopReason: { name: 'full', raw: 1 } }
    const copies = this.#random() < 0.2 ? 3 : 1
    await sleep(50 + this.#random() * 300)
    for (let copy = 0; copy < copies; copy++)
      await this.#publish(d, bill, { r: { key: `${orderNo}/${copy}`, at: Math.floor(Date.now() / 1000) } })
  }

  /** A gateway retries until the stream accepts the event. */
  async #publish(d: string, event: object, more: object = {}): Promise<void> {
    const item = this.#voice.item(d, event, more)
    for (;;) {
      const sent = await this.#voice.publish([item]).then(
        () => true,
        () => false,
      )
      if (sent) return
      await sleep(200)
    }
  }
}
