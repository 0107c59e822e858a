import type { Msg, NatsConnection } from '@nats-io/transport-node'
import { answerTo } from '@wattdeck/bus/bus.ts'
import {
  type ChargeReply,
  type ChargeRequest,
  deviceBus,
  startRecord,
  stopRecord,
} from '@wattdeck/contract/events/device-bus.ts'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Logger } from 'pino'
import { inScope, commit } from '../../kit/db/db.ts'
import { systemScope } from '../../kit/db/system-scope.ts'

/**
 * Answers charge lookups of gateways: a charge point sends only a number, possibly days later and through another gateway.
 * The start is committed before the charge point gets the number, so it is always found.
 */
export function answerCharges(pool: pg.Pool, bus: NatsConnection, prefix: string, log: Logger): () => void {
  const subscription = bus.subscribe(deviceBus.charge(prefix), { queue: 'charge' })
  const answer = async (message: Msg) => {
    try {
      answerTo(message, await findCharge(pool, message.json<ChargeRequest>()))
    } catch (error) {
      // Without an answer the gateway closes the connection, and the charge point sends it again.
      log.error({ err: error }, 'charge lookup failed')
    }
  }
  void (async () => {
    for await (const message of subscription) void answer(message)
  })()
  return () => subscription.unsubscribe()
}

type Content = { kind: string }

const findCharge = (pool: pg.Pool, { deviceId, transactionId, orderNo }: ChargeRequest): Promise<ChargeReply> =>
  inScope(pool, systemScope, 'read', async ({ db }) => {
    const key = transactionId === undefined ? null : startRecord(transactionId)
    const end = transactionId === undefined ? null : stopRecord(transactionId)
    const started = await sql<{ content: Content; atMs: number; ended: boolean }>`
      select content, (extract(epoch from received_at) * 1000)::float8 as "atMs",
        exists (select from device_record where device_id = ${deviceId} and record_key = ${end}) as ended
      from device_record where device_id = ${deviceId} and kind = 'started'
        and (record_key = ${key} or (${key}::text is null and content ->> 'orderNo' = ${orderNo ?? null}))
      order by recorded_at desc limit 1`.execute(db)
    // The command is marked as sent before it leaves, so it is found before the charge point can refer to it.
    const ordered = await sql<{ content: Content }>`
      select content from device_command
      where device_id = ${deviceId} and id > app.message_id(now() - interval '1 day') and kind = 'startPort'
        and sent_at is not null and content ->> 'orderNo' = ${orderNo ?? null}
      order by id desc limit 1`.execute(db)
    const [start] = started.rows
    return commit({
      started: start?.content ?? null,
      startedMs: start?.atMs ?? null,
      ended: start?.ended ?? false,
      ordered: ordered.rows[0]?.content ?? null,
    })
  })
