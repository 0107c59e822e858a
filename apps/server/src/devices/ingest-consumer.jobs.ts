import { type ConsumerMessages, jetstream, type JsMsg } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { type Committed, deviceBus, type Envelope, upPartitions } from '@wattdeck/contract/events/device-bus.ts'
import type pg from 'pg'
import type { Logger } from 'pino'
import { Counter, Histogram } from 'prom-client'
import { deviceSubject } from '../kit/device-watch.ts'
import { buryAll, type Incoming, ingest, type Ingested } from './ingest.jobs.ts'
import { ackWaitMs, openUpStream } from './up-stream.ts'

const taken = new Counter({ name: 'device_messages_total', help: 'Messages of devices committed' })
const buried = new Counter({ name: 'device_dead_letters_total', help: 'Messages that could not be taken in' })
const took = new Histogram({
  name: 'device_batch_seconds',
  help: 'How long a batch of messages took, from the stream to the commit',
  buckets: [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5],
})
const maxItems = 1000
const pauseMs = 500

type Place = { prefix: string; deviceStreamBytes: number }

/**
 * Takes in what the gateways publish. Each partition has one loop: whatever has arrived meanwhile becomes one
 * transaction, so that a busy stream is worked off in large batches and a quiet one at once.
 */
export async function startIngest(pool: pg.Pool, bus: NatsConnection, place: Place, log: Logger) {
  const { prefix, deviceStreamBytes } = place
  await openUpStream(bus, prefix, deviceStreamBytes)
  const loops = await Promise.all(
    Array.from({ length: upPartitions }, (_, partition) => followPartition(pool, bus, prefix, partition, log)),
  )
  return async () => {
    await Promise.all(loops.map((stop) => stop()))
  }
}

async function followPartition(pool: pg.Pool, bus: NatsConnection, prefix: string, partition: number, log: Logger) {
  const consumer = await jetstream(bus).consumers.get(deviceBus.stream(prefix), deviceBus.consumer(partition))
  const waiting: JsMsg[] = []
  let inWork: JsMsg[] = []
  let wake: () => void = () => undefined
  let stopped = false
  let messages: ConsumerMessages | undefined

  const listening = (async () => {
    while (!stopped) {
      try {
        messages = await consumer.consume({ max_messages: 200, expires: 5000 })
        for await (const message of messages) {
          waiting.push(message)
          wake()
        }
      } catch (error) {
        if (!stopped) log.error({ err: error, partition }, 'the stream of device messages broke off')
      }
      if (!stopped) await pause(pauseMs)
    }
  })()
  const working = (async () => {
    for (;;) {
      if (waiting.length === 0) {
        if (stopped) return
        await new Promise<void>((resume) => {
          wake = resume
        })
        continue
      }
      const batch = takeBatch(waiting)
      inWork = batch.messages
      await workOff(pool, bus, prefix, batch, log)
      inWork = []
    }
  })()
  const holding = setInterval(() => {
    for (const message of [...inWork, ...waiting]) message.working()
  }, ackWaitMs / 3)
  return async () => {
    stopped = true
    await messages?.close()
    wake()
    await Promise.all([listening, working])
    clearInterval(holding)
  }
}

const pause = (ms: number) => new Promise((resume) => setTimeout(resume, ms))

type Batch = { messages: JsMsg[]; items: Incoming[]; json: string }
function takeBatch(waiting: JsMsg[]): Batch {
  const messages: JsMsg[] = []
  const items: Incoming[] = []
  const texts: string[] = []
  while (waiting.length > 0 && items.length < maxItems) {
    const message = waiting.shift()
    if (message === undefined) break
    const text = message.string()
    const { gateway, items: more } = JSON.parse(text) as Envelope
    messages.push(message)
    texts.push(text)
    for (const item of more) items.push(Object.assign(item, { gateway }))
  }
  return { messages, items, json: `[${texts.join()}]` }
}

/** Tells only what has been committed: first the gateways that wait, then the consoles, at last the stream. */
async function workOff(pool: pg.Pool, bus: NatsConnection, prefix: string, batch: Batch, log: Logger) {
  const { messages, items } = batch
  const done = took.startTimer()
  try {
    const ingested = await ingestAll(pool, batch, log)
    done()
    taken.inc(items.length)
    sayCommitted(bus, prefix, items)
    for (const news of ingested.news) bus.publish(deviceSubject(prefix, news.patch.id), JSON.stringify(news))
    for (const message of messages) message.ack()
  } catch (error) {
    // The database is away: the stream keeps them and offers them again.
    log.error({ err: error, messages: items.length }, 'device messages not taken in, will try again')
    await pause(pauseMs)
    for (const message of messages) message.nak(pauseMs)
  }
}

async function ingestAll(pool: pg.Pool, { items, json }: Batch, log: Logger): Promise<Ingested> {
  const ingested = await ingest(pool, items, Date.now(), json).catch((error: unknown) => {
    if (!isOfTheMessage(error)) throw error
    log.warn({ err: error, messages: items.length }, 'a batch has a message that cannot be taken in')
    return oneByOne(pool, items)
  })
  const unknown = ingested.unknown.map((item) => ({ item, reason: 'the device is not known, or was removed' }))
  if (unknown.length > 0) await bury(pool, unknown)
  return ingested
}

/** So that one bad message does not hold up the others. */
async function oneByOne(pool: pg.Pool, items: Incoming[]): Promise<Ingested> {
  const all: Ingested = { news: [], unknown: [] }
  for (const item of items) {
    try {
      const { news, unknown } = await ingest(pool, [item], Date.now())
      all.news.push(...news)
      all.unknown.push(...unknown)
    } catch (error) {
      if (!isOfTheMessage(error)) throw error
      await bury(pool, [{ item, reason: error instanceof Error ? error.message : String(error) }])
    }
  }
  return all
}

async function bury(pool: pg.Pool, letters: { item: Incoming; reason: string }[]): Promise<void> {
  await buryAll(pool, letters)
  buried.inc(letters.length)
}

/** Classes 22 and 23 are data that does not fit, 42 a statement it broke; everything else is the database's own trouble. */
const isOfTheMessage = (error: unknown): boolean => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
  return code === undefined ? error instanceof SyntaxError || error instanceof RangeError : /^(22|23|42)/.test(code)
}

function sayCommitted(bus: NatsConnection, prefix: string, items: readonly Incoming[]): void {
  const records = Map.groupBy(
    items.filter((item) => item.r !== undefined),
    ({ gateway }) => gateway,
  )
  for (const [gateway, own] of records) {
    const committed: Committed = { ids: own.map(({ id }) => id) }
    bus.publish(deviceBus.committed(prefix, gateway), JSON.stringify(committed))
  }
}
