import { type ConsumerMessages, jetstream, type JsMsg } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { type Committed, deviceBus, upPartitions } from '@wattdeck/contract/events/device-bus.ts'
import type pg from 'pg'
import type { Logger } from 'pino'
import { Counter, Gauge, Histogram } from 'prom-client'
import { deviceSubject } from '../../kit/events/device-watch.ts'
import { watchLoop } from '../../kit/ops/loop-watch.ts'
import { readEnvelope, type Incoming } from './envelope.ts'
import { buryAll, type Ingest, type Ingested } from './ingest.jobs.ts'
import { ackWaitMs, openUpStream } from './up-stream.ts'

const taken = new Counter({ name: 'device_messages_total', help: 'Messages of devices committed' })
const deadLetters = new Counter({ name: 'device_dead_letters_total', help: 'Messages that could not be taken in' })
const malformed = new Counter({ name: 'device_malformed_total', help: 'Bus messages that are no envelope, terminated' })
const took = new Histogram({
  name: 'device_batch_seconds',
  help: 'How long a batch of messages took, from the stream to the commit',
  buckets: [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5],
})
const blocked = new Gauge({ name: 'device_ingest_blocked', help: '1 while the schema does not take device messages' })
let isBlocked = false
/** For readiness: a partition, table, column or right is missing, and device messages wait in the stream. */
export const isIngestBlocked = (): boolean => isBlocked
const maxItems = 1000
const pauseMs = 500

type Place = { prefix: string; deviceStreamBytes: number }
type Sink = { pool: pg.Pool; ingest: Ingest }

/**
 * Takes in what the gateways publish. Each partition has one loop: whatever has arrived meanwhile becomes one
 * transaction, so that a busy stream is worked off in large batches and a quiet one at once. A stream that is missing, at
 * the start or because the bus has lost its disk, is made; until that works it is tried again.
 */
export function startIngest(sink: Sink, bus: NatsConnection, place: Place, log: Logger) {
  const { prefix, deviceStreamBytes } = place
  let opening: Promise<void> | undefined
  const open = () => (opening ??= openUpStream(bus, prefix, deviceStreamBytes).finally(() => (opening = undefined)))
  const follow = async (partition: number) => {
    await open()
    const consumer = await jetstream(bus).consumers.get(deviceBus.stream(prefix), deviceBus.consumer(partition))
    return consumer.consume({ max_messages: 200, expires: 5000, abort_on_missing_resource: true })
  }
  const loops = Array.from({ length: upPartitions }, (_, partition) =>
    followPartition(sink, bus, { prefix, partition, follow: () => follow(partition) }, log),
  )
  return async () => {
    await Promise.all(loops.map((stop) => stop()))
  }
}

type Partition = { prefix: string; partition: number; follow: () => Promise<ConsumerMessages> }

function followPartition(
  sink: Sink,
  bus: NatsConnection,
  { prefix, partition, follow }: Partition,
  log: Logger,
): () => Promise<void> {
  const waiting: JsMsg[] = []
  let inWork: JsMsg[] = []
  let wake: () => void = () => undefined
  let stopped = false
  let messages: ConsumerMessages | undefined
  const watched = watchLoop(`device messages ${partition}`)

  const listening = (async () => {
    while (!stopped) {
      try {
        messages = await follow()
        if (stopped as boolean) await messages.close()
        for await (const message of messages) {
          waiting.push(message)
          wake()
        }
      } catch (error) {
        if (!stopped) log.error({ err: error, partition }, 'device stream consumer ended; will retry')
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
      const batch = takeBatch(waiting, log)
      inWork = batch.messages
      watched.turn()
      await workOff(sink, bus, prefix, batch, log)
      inWork = []
    }
  })()
  const holding = setInterval(() => {
    if (inWork.length === 0) watched.turn()
    for (const message of [...inWork, ...waiting]) message.working()
  }, ackWaitMs / 3)
  return async () => {
    stopped = true
    await messages?.close()
    wake()
    await Promise.all([listening, working])
    clearInterval(holding)
    watched.end()
  }
}

const pause = (ms: number) => new Promise((resume) => setTimeout(resume, ms))

type Batch = { messages: JsMsg[]; items: Incoming[]; json: string }
function takeBatch(waiting: JsMsg[], log: Logger): Batch {
  const messages: JsMsg[] = []
  const items: Incoming[] = []
  const texts: string[] = []
  while (waiting.length > 0 && items.length < maxItems) {
    const message = waiting.shift()
    if (message === undefined) break
    const text = message.string()
    const envelope = readEnvelope(text)
    if (envelope === undefined) {
      malformed.inc()
      log.error({ subject: message.subject, seq: message.seq, chars: text.length }, 'malformed bus message terminated')
      // Without a reason: NATS before 2.10 takes a termination with one for no answer, and delivers again.
      message.term()
      continue
    }
    const { gateway, items: more } = envelope
    messages.push(message)
    texts.push(text)
    for (const item of more) items.push(Object.assign(item, { gateway }))
  }
  return { messages, items, json: `[${texts.join()}]` }
}

/** Tells only what has been committed: first the gateways that wait, then the consoles, at last the stream. */
async function workOff(sink: Sink, bus: NatsConnection, prefix: string, batch: Batch, log: Logger) {
  const { messages, items } = batch
  const done = took.startTimer()
  try {
    const ingested = await ingestAll(sink, batch, log)
    done()
    blocked.set(0)
    isBlocked = false
    taken.inc(items.length - ingested.deadLettered)
    sayCommitted(bus, prefix, items)
    for (const news of ingested.news) bus.publish(deviceSubject(prefix, news.patch.id), JSON.stringify(news))
    for (const message of messages) message.ack()
  } catch (error) {
    // The stream keeps them and offers them again, when the database is away as when the schema does not fit.
    isBlocked = isOfTheInstallation(error)
    blocked.set(Number(isBlocked))
    if (isBlocked) log.fatal({ err: error, messages: items.length }, 'device ingest blocked by the schema; will retry')
    else log.error({ err: error, messages: items.length }, 'device message batch failed; will retry')
    await pause(pauseMs)
    for (const message of messages) message.nak(pauseMs)
  }
}

type Counted = Ingested & { deadLettered: number }
async function ingestAll(sink: Sink, { items, json }: Batch, log: Logger): Promise<Counted> {
  const whole = sink.ingest(items, Date.now(), json).then((all): Counted => ({ ...all, deadLettered: 0 }))
  const ingested = await whole.catch((error: unknown) => {
    if (!isOfTheMessage(error)) throw error
    log.warn(
      { err: error, messages: items.length },
      'device message batch has an invalid message; processing one by one',
    )
    return oneByOne(sink, items)
  })
  const unknown = ingested.unknown.map((item) => ({ item, reason: 'the device is not known, or was removed' }))
  if (unknown.length > 0) await storeDeadLetters(sink, unknown)
  return { ...ingested, deadLettered: ingested.deadLettered + unknown.length }
}

/** So that one bad message does not hold up the others. */
async function oneByOne(sink: Sink, items: Incoming[]): Promise<Counted> {
  const all: Counted = { news: [], unknown: [], deadLettered: 0 }
  for (const item of items) {
    try {
      const { news, unknown } = await sink.ingest([item], Date.now())
      all.news.push(...news)
      all.unknown.push(...unknown)
    } catch (error) {
      if (!isOfTheMessage(error)) throw error
      await storeDeadLetters(sink, [{ item, reason: error instanceof Error ? error.message : String(error) }])
      all.deadLettered++
    }
  }
  return all
}

async function storeDeadLetters(sink: Sink, letters: { item: Incoming; reason: string }[]): Promise<void> {
  await buryAll(sink.pool, letters)
  deadLetters.inc(letters.length)
}

/**
 * Classes 22 and 23 are data that does not fit. A missing partition (23514 without the name of a constraint) and class 42
 * (a table, column or right that is not there) are faults of the installation: the messages wait until they are mended.
 */
const isOfTheMessage = (error: unknown): boolean => {
  const { code, constraint } = sqlFault(error)
  if (code === undefined) return [SyntaxError, RangeError, TypeError].some((kind) => error instanceof kind)
  return /^(22|23)/.test(code) && !(code === '23514' && constraint === undefined)
}
const isOfTheInstallation = (error: unknown): boolean => {
  const { code, constraint } = sqlFault(error)
  return code !== undefined && (code.startsWith('42') || (code === '23514' && constraint === undefined))
}
function sqlFault(error: unknown): { code?: string; constraint?: string } {
  return error instanceof Error && 'code' in error ? (error as { code?: string; constraint?: string }) : {}
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
