import type { Msg, NatsConnection } from '@nats-io/transport-node'
import { answerTo } from '@wattdeck/bus/bus.ts'
import { deviceBus, type SwipeAnswer, type SwipeAsk } from '@wattdeck/contract/events/device-bus.ts'
import type pg from 'pg'
import type { Logger } from 'pino'
import { Counter } from 'prom-client'
import { inScope, commit } from '../../kit/db/db.ts'
import { systemScope } from '../../kit/db/system-scope.ts'
import { decideSwipe } from './card-start.ts'

const answered = new Counter({
  name: 'card_swipes_total',
  help: 'Cards that were held to devices, by what the devices were told',
  labelNames: ['account'],
})

/** Answers gateways what becomes of a card. Without an answer the device says nothing, and the person tries again. */
export function answerSwipes(pool: pg.Pool, bus: NatsConnection, prefix: string, log: Logger): () => void {
  const subscription = bus.subscribe(deviceBus.swipe(prefix), { queue: 'swipe' })
  const decide = (ask: SwipeAsk): Promise<SwipeAnswer> =>
    inScope(pool, systemScope, 'record', async ({ db }) => commit(await decideSwipe(db, systemScope, ask)))
  const answer = async (message: Msg) => {
    let deviceId: string | undefined
    try {
      const ask = message.json<SwipeAsk>()
      deviceId = ask.deviceId
      // Somebody else took the port, or the same charge was told of, in the same moment: now that is seen.
      const decided = await decide(ask).catch(() => decide(ask))
      answered.inc({ account: decided.account })
      answerTo(message, decided)
    } catch (error) {
      log.error({ err: error, deviceId }, 'card authorisation failed')
    }
  }
  void (async () => {
    for await (const message of subscription) void answer(message)
  })()
  return () => subscription.unsubscribe()
}
