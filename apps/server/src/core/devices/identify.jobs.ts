import type { Msg, NatsConnection } from '@nats-io/transport-node'
import { answerTo } from '@wattdeck/bus/bus.ts'
import {
  deviceBus,
  type Identity,
  type IdentifyReply,
  type IdentifyRequest,
} from '@wattdeck/contract/events/device-bus.ts'
import { credentialState } from '@wattdeck/contract/product/device-auth.ts'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Logger } from 'pino'
import { inScope, commit } from '../../kit/db/db.ts'
import { systemScope } from '../../kit/db/system-scope.ts'
import { recordCertificateUse } from './credential.store.ts'

/** Answers identity requests of gateways, which have no database connection. Several workers share the requests. */
export function answerIdentities(pool: pg.Pool, bus: NatsConnection, prefix: string, log: Logger): () => void {
  const subscription = bus.subscribe(deviceBus.identify(prefix), { queue: 'identify' })
  // Requests are answered independently, so that a slow one does not block others.
  const answer = async (message: Msg) => {
    try {
      const ask = message.json<IdentifyRequest>()
      const identities = await identify(pool, ask)
      answerTo(message, identities)
      await noteCertificates(pool, ask.adapter, identities)
    } catch (error) {
      // Without an answer the gateway retries.
      log.error({ err: error }, 'device identity lookup failed')
    }
  }
  void (async () => {
    for await (const message of subscription) void answer(message)
  })()
  return () => subscription.unsubscribe()
}

const identify = (pool: pg.Pool, { adapter, wireIds }: IdentifyRequest): Promise<IdentifyReply> =>
  inScope(pool, systemScope, 'read', async ({ db }) => {
    const { rows } = await sql<Identity & { wireId: string }>`
      select
        device.wire_id as "wireId",
        device.id as "deviceId",
        device.device_no as "deviceNo",
        device.port_count as "portCount",
        device.ocpp_profile as "ocppProfile",
        device.password_hash as "secretHash",
        case when device.adapter = 'ocpp16' then array(
          select good.fingerprint
          from device_credential good
          where good.device_id = device.id
            and good.kind = 'cert'
            and good.state <> ${credentialState.code.revoked}
            and good.valid_until > now()
        ) end as certificates,
        case when device.online then state.gateway end as gateway
      from device
      join device_state state on state.device_id = device.id
      where device.adapter = ${adapter}
        and device.wire_id = any(${wireIds})
        and device.deleted_at is null
        and not device.barred`.execute(db)
    const identitiesByWireId = new Map(rows.map(({ wireId, ...identity }) => [wireId, identity]))
    return commit(wireIds.map((wireId) => identitiesByWireId.get(wireId) ?? null))
  })

/** MQTT devices were admitted by a certificate; for other protocols the gateway checks the identity itself. */
async function noteCertificates(pool: pg.Pool, adapter: string, identities: IdentifyReply): Promise<void> {
  const ids = identities.flatMap((identity) => identity?.deviceId ?? [])
  if (adapter !== 'mqtt-json' || ids.length === 0) return
  await inScope(pool, systemScope, 'record', async ({ db }) => commit(await recordCertificateUse(db, ids)))
}
