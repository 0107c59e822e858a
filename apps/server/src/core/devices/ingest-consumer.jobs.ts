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

const committedMessages = new Counter({ name: 'device_messages_total', help: 'Device messages committed' })
const deadLetters = new Counter({ name: 'device_dead_letters_total', help: 'Device messages dead-lettered' })
const malformed = new Counter({
  name: 'device_malformed_total',
  help: 'Bus messages terminated because they are not an envelope',
})
const took = new Histogram({
  name: 'device_batch_seconds',
  help: 'Duration of a message batch, from the stream to the commit',
  buckets: [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5],
})
const blocked = new Gauge({ name: 'device_ingest_blocked', help: '1 while the schema cannot store device messages' })
let isBlocked = false
/** For readiness: a partition, table, column or right is missing, and device messages wait in the stream. */
export const isIngestBlocked = (): boolean => isBlocked
const maxItems = 1000
const pauseMs = 500

type Place = { prefix: string; deviceStreamBytes: number }
type Sink = { pool: pg.Pool; ingest: Ingest }

/**
 * Consumes the messages of gateways. Each partition has one loop, which puts all waiting messages into one transaction.
 * So a busy stream is processed in large batches and a quiet one at once. A missing stream, at the start or after the bus
 * lost its disk, is created; the creation is retried until it succeeds.
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
      // No reason: NATS before 2.10 does not recognise a termination with a reason and redelivers the message.
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

/** Publishes after the commit: first to the waiting gateways, then to consoles. The stream is acknowledged last. */
async function workOff(sink: Sink, bus: NatsConnection, prefix: string, batch: Batch, log: Logger) {
  const { messages, items } = batch
  const done = took.startTimer()
  try {
    const ingested = await ingestAll(sink, batch, log)
    done()
    blocked.set(0)
    isBlocked = false
    committedMessages.inc(items.length - ingested.deadLettered)
    sayCommitted(bus, prefix, items)
    for (const update of ingested.news) bus.publish(deviceSubject(prefix, update.patch.id), JSON.stringify(update))
    for (const message of messages) message.ack()
  } catch (error) {
    // The stream redelivers the messages, for a missing database as well as for a missing schema object.
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

/** Processes messages individually, so that one invalid message does not block the others. */
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
 * SQL state classes 22 and 23 mean invalid data. A missing partition (23514 without a constraint name) and class 42 (a
 * missing table, column or right) are faults of the installation: the messages stay in the stream until they are fixed.
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
