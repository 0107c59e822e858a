import type { Msg, NatsConnection } from '@nats-io/transport-node'
import { answerTo } from '@wattdeck/bus/bus.ts'
import { deviceBus, type TariffCheckReply, type TariffCheckRequest } from '@wattdeck/contract/events/device-bus.ts'
import type pg from 'pg'
import type { Logger } from 'pino'
import { inScope, commit } from '../../kit/db/db.ts'
import { startPeriodicJob } from '../../kit/jobs/every.ts'
import { useGenericPlans } from '../../kit/db/plans.ts'
import { systemScope } from '../../kit/db/system-scope.ts'
import { switchVersions } from './switch-versions.jobs.ts'
import { holdsTariff, retryPushes, sendPushes, recordPushes } from './tariff-push.store.ts'

const everyMs = 1000

/**
 * Activates due tariff versions and pushes prices to piles that count money. Differences are detected here for every
 * cause, so that code that changes a price does not need to handle piles.
 */
export function keepTariffs(pool: pg.Pool, log: Logger): () => Promise<void> {
  return startPeriodicJob({ name: 'tariffs', everyMs, round: () => once(pool, log), log })
}

async function once(pool: pg.Pool, log: Logger): Promise<void> {
  await switchVersions(pool, log)
  await inScope(pool, systemScope, 'record', async ({ db }) => {
    await useGenericPlans(db)
    await recordPushes(db)
    await retryPushes(db)
    return commit(await sendPushes(db))
  })
}

/** Answers gateways whether a pile has the prices in force. Without an answer the gateway assumes outdated prices. */
export function answerTariffs(pool: pg.Pool, bus: NatsConnection, prefix: string, log: Logger): () => void {
  const subscription = bus.subscribe(deviceBus.tariff(prefix), { queue: 'tariff' })
  const answer = async (message: Msg) => {
    try {
      const { deviceId, modelNo } = message.json<TariffCheckRequest>()
      const holds = await inScope(pool, systemScope, 'read', async ({ db }) =>
        commit(await holdsTariff(db, deviceId, modelNo)),
      )
      answerTo(message, { holds } satisfies TariffCheckReply)
    } catch (error) {
      log.error({ err: error }, 'tariff lookup failed')
    }
  }
  void (async () => {
    for await (const message of subscription) void answer(message)
  })()
  return () => subscription.unsubscribe()
}
