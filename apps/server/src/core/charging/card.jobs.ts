import type { Msg, NatsConnection } from '@nats-io/transport-node'
import { answerTo } from '@wattdeck/bus/bus.ts'
import { deviceBus, type SwipeReply, type SwipeRequest } from '@wattdeck/contract/events/device-bus.ts'
import type pg from 'pg'
import type { Logger } from 'pino'
import { Counter } from 'prom-client'
import { inScope, commit } from '../../kit/db/db.ts'
import { systemScope } from '../../kit/db/system-scope.ts'
import { decideSwipe } from './card-start.ts'

const answered = new Counter({
  name: 'card_swipes_total',
  help: 'Card swipes at devices by result',
  labelNames: ['account'],
})

/** Answers card authorisation requests of gateways. Without an answer the device stays silent and the member swipes again. */
export function answerSwipes(pool: pg.Pool, bus: NatsConnection, prefix: string, log: Logger): () => void {
  const subscription = bus.subscribe(deviceBus.swipe(prefix), { queue: 'swipe' })
  const decide = (ask: SwipeRequest): Promise<SwipeReply> =>
    inScope(pool, systemScope, 'record', async ({ db }) => commit(await decideSwipe(db, systemScope, ask)))
  const answer = async (message: Msg) => {
    let deviceId: string | undefined
    try {
      const ask = message.json<SwipeRequest>()
      deviceId = ask.deviceId
      // A concurrent start or a copy of the message can cause a conflict; the second attempt sees the committed row.
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
