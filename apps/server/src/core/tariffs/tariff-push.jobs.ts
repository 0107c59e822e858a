import type { Msg, NatsConnection } from '@nats-io/transport-node'
import { answerTo } from '@wattdeck/bus/bus.ts'
import { deviceBus, type TariffAnswer, type TariffAsk } from '@wattdeck/contract/events/device-bus.ts'
import type pg from 'pg'
import type { Logger } from 'pino'
import { inScope, commit } from '../../kit/db/db.ts'
import { startEvery } from '../../kit/jobs/every.ts'
import { keepPlans } from '../../kit/db/plans.ts'
import { systemScope } from '../../kit/db/system-scope.ts'
import { switchVersions } from './switch-versions.jobs.ts'
import { holdsTariff, retryPushes, sendPushes, wantPushes } from './tariff-push.store.ts'

const everyMs = 1000

/**
 * Puts versions in force when their moment comes, and tells piles that count money what holds. Whatever changes a price,
 * the difference is found here, so nothing that changes one has to remember the piles.
 */
export function keepTariffs(pool: pg.Pool, log: Logger): () => Promise<void> {
  return startEvery({ name: 'tariffs', everyMs, round: () => once(pool, log), log })
}

async function once(pool: pg.Pool, log: Logger): Promise<void> {
  await switchVersions(pool, log)
  await inScope(pool, systemScope, 'record', async ({ db }) => {
    await keepPlans(db)
    await wantPushes(db)
    await retryPushes(db)
    return commit(await sendPushes(db))
  })
}

/** Answers gateways whether a pile has the prices that hold. Without an answer it has not, and sells nothing by them. */
export function answerTariffs(pool: pg.Pool, bus: NatsConnection, prefix: string, log: Logger): () => void {
  const subscription = bus.subscribe(deviceBus.tariff(prefix), { queue: 'tariff' })
  const answer = async (message: Msg) => {
    try {
      const { deviceId, modelNo } = message.json<TariffAsk>()
      const holds = await inScope(pool, systemScope, 'read', async ({ db }) =>
        commit(await holdsTariff(db, deviceId, modelNo)),
      )
      answerTo(message, { holds } satisfies TariffAnswer)
    } catch (error) {
      log.error({ err: error }, 'tariff lookup failed')
    }
  }
  void (async () => {
    for await (const message of subscription) void answer(message)
  })()
  return () => subscription.unsubscribe()
}
