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
 * Leases a number unique among the running gateways; it is part of each message number and of the reply subject. The
 * gateway renews the lease, and the lease of a dead gateway expires. When the bus loses its disk, gateways recreate
 * their leases after reconnecting. A new gateway starts its search at a random number, so it rarely takes one of
 * theirs.
 */
export async function leaseNumber(bus: NatsConnection, prefix: string, log: Logger, onLost: () => void) {
  const holder = crypto.randomUUID()
  // Creates the bucket only where no worker has; deploy/nats.conf denies gateways the right to create streams.
  const openBucket = () =>
    new Kvm(bus).create(gatewayBucket.name(prefix), { ttl: leaseMs, history: 1, allow_direct: false })
  const { number, revision } = await firstFree()
  let currentRevision = revision
  let renewing: Promise<void> | undefined

  async function renew(): Promise<void> {
    try {
      currentRevision = await (await openBucket()).update(String(number), holder, currentRevision)
    } catch {
      // The bus may only be unavailable; the number is lost only when another gateway holds it.
      const entry = await openBucket().then(
        (bucket) => bucket.get(String(number)),
        () => undefined,
      )
      if (entry === undefined) return
      if (entry === null)
        currentRevision = await (await openBucket()).create(String(number), holder).catch(() => currentRevision)
      else if (entry.string() === holder) currentRevision = entry.revision
      else onLost()
    }
  }
  const renewOnce = () => void (renewing ??= renew().finally(() => (renewing = undefined)))
  const timer = setInterval(renewOnce, leaseMs / 4)

  /** JetStream may be electing a leader or be full, so the gateway retries instead of exiting at start. */
  async function firstFree() {
    for (;;) {
      try {
        const bucket = await openBucket()
        const first = Math.floor(Math.random() * (gatewayNumbers - 1))
        for (let tried = 0; tried < gatewayNumbers - 1; tried++) {
          const candidate = 1 + ((first + tried) % (gatewayNumbers - 1))
          const createdRevision = await bucket.create(String(candidate), holder).catch((error: unknown) => {
            if (isConflict(error)) return undefined
            throw error
          })
          if (createdRevision !== undefined) return { number: candidate, revision: createdRevision }
        }
        throw new Error('all gateway numbers are taken')
      } catch (error) {
        log.error({ err: error }, 'no number for this gateway yet; will retry')
        await new Promise((resume) => setTimeout(resume, 1000))
      }
    }
  }
  return {
    number,
    /** Whether the lease of this gateway number is current; true when that cannot be determined. */
    isLeased: (other: number): Promise<boolean> =>
      openBucket()
        .then((bucket) => bucket.get(String(other)))
        .then(
          (entry) => entry !== null && entry.operation === 'PUT',
          () => true,
        ),
    /** Renews at once, because the bus may have lost its leases. */
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

/** Message numbers: milliseconds, gateway, counter. They increase even when the clock is set back. */
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
