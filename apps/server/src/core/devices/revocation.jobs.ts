import { createHash } from 'node:crypto'
import type { NatsConnection } from '@nats-io/transport-node'
import { answerTo } from '@wattdeck/bus/bus.ts'
import { type Cut, deviceBus, type Revocations } from '@wattdeck/contract/events/device-bus.ts'
import type pg from 'pg'
import type { Logger } from 'pino'
import { inScope, commit } from '../../kit/db/db.ts'
import type { DeviceCa } from '../../kit/crypto/device-ca.ts'
import { systemScope } from '../../kit/db/system-scope.ts'
import { makeCrl } from '../../kit/crypto/x509/crl.ts'
import * as store from './credential.store.ts'

/** Publishes to gateways and broker guards that connections of these devices must be closed. A retry publishes again. */
export async function cutDevices(
  pool: pg.Pool,
  bus: NatsConnection,
  prefix: string,
  deviceIds: string[],
): Promise<void> {
  const cuts = await inScope(pool, systemScope, 'read', async ({ db }) => commit(await store.wiresOf(db, deviceIds)))
  for (const { adapter, wireId, deviceId } of cuts) {
    const cut: Cut = { adapter, wireId, deviceId }
    bus.publish(deviceBus.cut(prefix), JSON.stringify(cut))
  }
  await bus.flush()
}

/** Answers revocation requests of broker guards, which have neither a database nor the key of the authority. */
export function answerRevocations(
  pool: pg.Pool,
  bus: NatsConnection,
  { prefix, ca, log }: { prefix: string; ca: DeviceCa | undefined; log: Logger },
): () => void {
  const subscription = bus.subscribe(deviceBus.revocations(prefix), { queue: 'revocations' })
  void (async () => {
    for await (const message of subscription) {
      // Without an answer the guard retries.
      await revocations(pool, ca).then(
        (answer) => answerTo(message, answer),
        (error: unknown) => log.error({ err: error }, 'revocation lookup failed'),
      )
    }
  })()
  return () => subscription.unsubscribe()
}

const revocations = (pool: pg.Pool, ca: DeviceCa | undefined): Promise<Revocations> =>
  inScope(pool, systemScope, 'read', async ({ db }) => {
    const revoked = await store.revokedCertificates(db)
    const barred = await store.barredWireIds(db, 'mqtt-json')
    const version = createHash('sha256')
      .update(revoked.map(({ serial }) => serial).join())
      .digest('hex')
    return commit({ crl: ca === undefined ? null : makeCrl(ca.issuer, revoked), version, barred })
  })
