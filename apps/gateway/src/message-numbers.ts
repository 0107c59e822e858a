import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream'
import { Kvm } from '@nats-io/kv'
import type { NatsConnection } from '@nats-io/transport-node'
import { gatewayBucket, gatewayNumbers, messageEpochMs } from '@wattdeck/contract/events/device-bus.ts'
import type { Logger } from 'pino'

const { leaseMs } = gatewayBucket
const counts = 1024n

const conflictCodes = new Set<number>([
  JetStreamApiCodes.StreamWrongLastSequence,
  JetStreamApiCodes.StreamWrongLastSequenceUnknown,
])
const isConflict = (error: unknown) => error instanceof JetStreamApiError && conflictCodes.has(error.code)

/**
 * A number that no other gateway has now: part of each message's number, and where its answers are sent to. Held by
 * renewing it; a gateway that died gives it back by not doing so. When the bus has lost its disk, those who hold one say
 * so anew as soon as they are connected; a new gateway begins to look at a random place, so that it takes none of theirs
 * meanwhile.
 */
export async function leaseNumber(bus: NatsConnection, prefix: string, log: Logger, onLost: () => void) {
  const holder = crypto.randomUUID()
  // Made here only where no worker has made it; deploy/nats.conf does not let a gateway make streams.
  const openBucket = () =>
    new Kvm(bus).create(gatewayBucket.name(prefix), { ttl: leaseMs, history: 1, allow_direct: false })
  const { number, revision } = await firstFree()
  let held = revision
  let renewing: Promise<void> | undefined

  async function renew(): Promise<void> {
    try {
      held = await (await openBucket()).update(String(number), holder, held)
    } catch {
      // The bus may just be away; the number is lost only when somebody else has it.
      const entry = await openBucket().then(
        (bucket) => bucket.get(String(number)),
        () => undefined,
      )
      if (entry === undefined) return
      if (entry === null) held = await (await openBucket()).create(String(number), holder).catch(() => held)
      else if (entry.string() === holder) held = entry.revision
      else onLost()
    }
  }
  const renewOnce = () => void (renewing ??= renew().finally(() => (renewing = undefined)))
  const timer = setInterval(renewOnce, leaseMs / 4)

  /** JetStream may be electing a leader, or be full: a gateway waits for it instead of dying at the start. */
  async function firstFree() {
    for (;;) {
      try {
        const bucket = await openBucket()
        const first = Math.floor(Math.random() * (gatewayNumbers - 1))
        for (let tried = 0; tried < gatewayNumbers - 1; tried++) {
          const candidate = 1 + ((first + tried) % (gatewayNumbers - 1))
          const made = await bucket.create(String(candidate), holder).catch((error: unknown) => {
            if (isConflict(error)) return undefined
            throw error
          })
          if (made !== undefined) return { number: candidate, revision: made }
        }
        throw new Error('every number of a gateway is taken')
      } catch (error) {
        log.error({ err: error }, 'no number for this gateway yet; will retry')
        await new Promise((resume) => setTimeout(resume, 1000))
      }
    }
  }
  return {
    number,
    /** Whether a gateway with this number has renewed its lease in time; true while that is unknown. */
    isLeased: (other: number): Promise<boolean> =>
      openBucket()
        .then((bucket) => bucket.get(String(other)))
        .then(
          (entry) => entry !== null && entry.operation === 'PUT',
          () => true,
        ),
    /** At once, because the bus may have forgotten who holds what. */
    renew: renewOnce,
    async release() {
      clearInterval(timer)
      await renewing
      await openBucket()
        .then((bucket) => bucket.delete(String(number)))
        .catch(() => undefined)
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
