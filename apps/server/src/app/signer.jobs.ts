import { createPublicKey } from 'node:crypto'
import type { Msg, NatsConnection } from '@nats-io/transport-node'
import { answerTo } from '@wattdeck/bus/bus.ts'
import { type SignerRequest, type SignerRequests, signerSubject } from '@wattdeck/contract/events/signer-bus.ts'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Logger } from 'pino'
import { type Db, inScope, commit } from '../kit/db/db.ts'
import type { DeviceCa } from '../kit/crypto/device-ca.ts'
import { systemScope } from '../kit/db/system-scope.ts'
import type { Vault } from '../kit/crypto/vault.ts'
import { signCertificate } from '../kit/crypto/x509/certificate.ts'
import type { Merchants } from '../core/payments/merchants.ts'
import { writeNotice } from '../core/payments/notice.store.ts'

type Deps = {
  pool: pg.Pool
  prefix: string
  vault: Vault
  merchants: Merchants
  ca: DeviceCa | undefined
  log: Logger
}

const maxDevices = 500
const maxDays = 3650

/** Serves the signing requests of the api, which has no keys of merchants or of the device authority. */
export function serveSignerRequests(bus: NatsConnection, deps: Deps): () => void {
  const subscription = bus.subscribe(signerSubject(deps.prefix), {
    queue: 'signer',
    callback: (error, message) => {
      if (error === null) void answer(deps, message)
    },
  })
  return () => subscription.unsubscribe()
}

async function answer(deps: Deps, message: Msg): Promise<void> {
  try {
    const request = message.json<SignerRequest>()
    if (request.kind === 'seal') answerTo(message, { sealed: deps.vault.seal(request.plain) })
    else if (request.kind === 'readNotice') answerTo(message, await readNotice(deps, request))
    else if (request.kind === 'certify') answerTo(message, await certify(deps, request))
    else answerTo(message, { refused: 'no such request' })
  } catch (error) {
    // Without a reply the api refuses its caller with 503, and the caller retries.
    deps.log.error({ err: error }, 'signer request failed')
  }
}

async function readNotice(
  { pool, merchants }: Deps,
  { merchantId, head, body }: SignerRequests['readNotice']['request'],
) {
  const open = await inScope(pool, systemScope, 'read', async ({ db }) =>
    commit(await merchants.open(db, [merchantId])),
  )
  const notice = open.get(merchantId)?.provider?.readNotice(head, Buffer.from(body, 'base64'))
  return { notice: notice === undefined ? null : writeNotice(notice) }
}

async function certify({ pool, ca }: Deps, { devices, days }: SignerRequests['certify']['request']) {
  if (ca === undefined) return { refused: 'no device authority is configured' }
  if (devices.length > maxDevices || !Number.isInteger(days) || days < 1 || days > maxDays)
    return { refused: 'too many devices or days' }
  const names = await inScope(pool, systemScope, 'read', async ({ db }) =>
    commit(
      await certifiedNames(
        db,
        devices.map(({ deviceId }) => deviceId),
      ),
    ),
  )
  const orders = devices.map(({ deviceId, publicKey }) => ({ cn: names.get(deviceId), publicKey }))
  const certificates = orders.flatMap(({ cn, publicKey }) =>
    cn === undefined ? [] : [signCertificate({ cn, publicKey: spki(publicKey), days, issuer: ca.issuer })],
  )
  return certificates.length < devices.length ? { refused: 'a device uses no certificate' } : { certificates }
}

const spki = (base64: string) => createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' })

/** Wire ids of devices whose protocol identifies them by a certificate. */
async function certifiedNames(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; wire_id: string }>`
    select device.id, device.wire_id
    from device
    where device.id = any(${ids}::bigint[]) and device.adapter = 'mqtt-json' and device.deleted_at is null`.execute(db)
  return new Map(rows.map((row) => [row.id, row.wire_id]))
}
