import type { ScreenEvent } from '@wattdeck/contract/dashboard/big-screen-orders.ts'
import { LiveEvent } from '@wattdeck/contract/auth/notification.ts'
import type { NatsConnection } from '@nats-io/transport-node'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { shanghaiNow } from './live.ts'
import { Throttle } from '../jobs/throttle.ts'
import { overloaded } from '../http/refusal.ts'

const beatMs = 5000
const changedMs = 500
const maxAll = 2000

/** Figures that depend on a list, by its name. */
const counted = new Map<string, Extract<ScreenEvent, { kind: 'changed' }>['what']>([
  ['order', 'order'],
  ['refundOrder', 'order'],
  ['device', 'device'],
  ['alarm', 'device'],
  ['member', 'member'],
  ['rechargeRecord', 'member'],
])

/** The viewer of a wallboard: their organisation and their current permission. */
type Watcher = {
  /** Undefined: every organisation. */
  organiseId: string | undefined
  /** Checked at each heartbeat. */
  mayLook: () => Promise<boolean>
}
type Listener = Watcher & { reply: FastifyReply }

/**
 * Event streams of wallboards. They carry heartbeats and the fact that figures of an organisation have changed. The wallboard
 * fetches the figures by calls in its caller's scope. Nothing else of a message is forwarded.
 */
export class WallboardHub {
  readonly #listeners = new Set<Listener>()
  readonly #throttle = new Throttle(changedMs)
  readonly #timer: NodeJS.Timeout
  #beating = false
  #connected = false

  constructor() {
    this.#timer = setInterval(() => {
      if (this.#beating) return
      this.#beating = true
      void this.#beat().finally(() => (this.#beating = false))
    }, beatMs).unref()
  }

  /** Returns when the connection ends. While the bus is unavailable, streams are refused, so that wallboards poll. */
  async listen(bus: NatsConnection, prefix: string): Promise<void> {
    bus.subscribe(`${prefix}.live.*.all`, {
      callback: (error, message) => {
        if (error !== null) return
        const [organiseId = ''] = message.subject.slice(prefix.length + '.live.'.length).split('.')
        this.#dispatch(organiseId, message.string())
      },
    })
    this.#connected = true
    for await (const { type } of bus.status()) {
      if (type === 'reconnect') this.#connected = true
      if (type === 'disconnect') {
        this.#connected = false
        this.#endAll()
      }
    }
  }

  /** Returns a function that ends the stream at once. */
  open(watcher: Watcher, request: FastifyRequest, reply: FastifyReply): () => void {
    if (!this.#connected) throw overloaded('实时消息暂不可用')
    if (this.#listeners.size >= maxAll) throw overloaded('打开的页面过多')
    reply.hijack()
    const { raw } = reply
    // A disconnected client has already emitted 'close', so its listener would leak.
    if (raw.destroyed || request.raw.destroyed) return () => undefined
    raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    const listener: Listener = { ...watcher, reply }
    this.#listeners.add(listener)
    raw.on('close', () => this.#listeners.delete(listener))
    this.#send(listener, { kind: 'beat', at: shanghaiNow() })
    return () => this.#end(listener)
  }

  close(): void {
    clearInterval(this.#timer)
    this.#throttle.stop()
    this.#endAll()
  }

  #dispatch(organiseId: string, data: string): void {
    const list = changedList(data)
    const what = list === undefined ? undefined : counted.get(list)
    if (what === undefined) return
    this.#throttle.run(`${organiseId} ${what}`, () => {
      const event: ScreenEvent = { kind: 'changed', what, at: shanghaiNow() }
      for (const listener of this.#listeners)
        if (listener.organiseId === undefined || listener.organiseId === organiseId) this.#send(listener, event)
    })
  }

  #send({ reply }: Listener, event: ScreenEvent): void {
    // Backpressure: a wallboard that does not read is disconnected instead of buffered for.
    if (reply.raw.writableLength > 64 * 1024) reply.raw.destroy()
    else reply.raw.write(`data: ${JSON.stringify(event)}\n\n`)
  }

  #end(listener: Listener): void {
    this.#send(listener, { kind: 'revoked' })
    listener.reply.raw.end()
  }

  #endAll(): void {
    for (const { reply } of this.#listeners) reply.raw.end()
  }

  async #beat(): Promise<void> {
    for (const listener of this.#listeners) {
      const may = await listener.mayLook().catch(() => true)
      if (may) this.#send(listener, { kind: 'beat', at: shanghaiNow() })
      else this.#end(listener)
    }
  }
}

/** Returns undefined for any other event and for a malformed message. */
function changedList(data: string): string | undefined {
  try {
    const event = LiveEvent.safeParse(JSON.parse(data)).data
    return event?.kind === 'changed' ? event.list : undefined
  } catch {
    return undefined
  }
}
