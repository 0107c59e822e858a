import { Kvm } from '@nats-io/kv'
import type { NatsConnection } from '@nats-io/transport-node'
import { gatewayNumbers, messageEpochMs } from '@wattdeck/contract/events/device-bus.ts'

const leaseMs = 20_000
const counts = 1024n

/**
 * A number that no other gateway has now: part of each message's number, and where its answers are sent to. Held by
 * renewing it; a gateway that died gives it back by not doing so.
 */
export async function leaseNumber(bus: NatsConnection, prefix: string, onLost: () => void) {
  const bucket = await new Kvm(bus).create(`${prefix.replaceAll(/\W/g, '_')}_gateways`, { ttl: leaseMs, history: 1 })
  const holder = crypto.randomUUID()
  const { number, revision } = await firstFree(holder)
  let held = revision
  const timer = setInterval(() => {
    bucket.update(String(number), holder, held).then(
      (next) => {
        held = next
      },
      async () => {
        // The bus may just be away; it is lost only when somebody else has it.
        const entry = await bucket.get(String(number)).catch(() => undefined)
        if (entry === undefined) return
        if (entry === null) held = await bucket.create(String(number), holder).catch(() => held)
        else if (entry.string() === holder) held = entry.revision
        else onLost()
      },
    )
  }, leaseMs / 4)

  async function firstFree(text: string) {
    for (let candidate = 1; candidate < gatewayNumbers; candidate++) {
      const made = await bucket.create(String(candidate), text).catch(() => undefined)
      if (made !== undefined) return { number: candidate, revision: made }
    }
    throw new Error('every number of a gateway is taken')
  }
  return {
    number,
    async release() {
      clearInterval(timer)
      await bucket.delete(String(number)).catch(() => undefined)
    },
  }
}

/** Numbers of messages: milliseconds, gateway, counter. They grow even when the clock is set back. */
export function messageNumbers(gateway: number): () => string {
  let lastMs = 0
  let count = 0n
  return () => {
    const now = Math.max(Date.now() - messageEpochMs, lastMs)
    count = now > lastMs ? 0n : count + 1n
    lastMs = now
    if (count === counts) {
      count = 0n
      lastMs += 1
    }
    return String((BigInt(lastMs) << 22n) | (BigInt(gateway) << 10n) | count)
  }
}
