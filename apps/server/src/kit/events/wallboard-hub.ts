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

/** Which figures a list that has changed is counted in. */
const counted = new Map<string, Extract<ScreenEvent, { kind: 'changed' }>['what']>([
  ['order', 'order'],
  ['refundOrder', 'order'],
  ['device', 'device'],
  ['alarm', 'device'],
  ['member', 'member'],
  ['rechargeRecord', 'member'],
])

/** Whoever looks at a big screen, as far as the stream must know: which organisation, and whether they still may. */
type Watcher = {
  /** Undefined: every organisation. */
  organiseId: string | undefined
  /** Asked at each beat. */
  mayLook: () => Promise<boolean>
}
type Listener = Watcher & { reply: FastifyReply }

/**
 * Streams of big screens. They say that they live, and that figures of an organisation have changed; what they are now is
 * read by the calls, which see what their caller may see. Nothing else of a message is passed on.
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

  /** Ends with the connection; while the bus is away, streams are refused, so that screens ask again by the clock. */
  async listen(bus: NatsConnection, prefix: string): Promise<void> {
    bus.subscribe(`${prefix}.live.*.all`, {
      callback: (error, message) => {
        if (error !== null) return
        const [organiseId = ''] = message.subject.slice(prefix.length + '.live.'.length).split('.')
        this.#hear(organiseId, message.string())
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

  /** Answers how to end the stream at once. */
  open(watcher: Watcher, request: FastifyRequest, reply: FastifyReply): () => void {
    if (!this.#connected) throw overloaded('实时消息暂不可用')
    if (this.#listeners.size >= maxAll) throw overloaded('打开的页面过多')
    reply.hijack()
    const { raw } = reply
    // Whoever left meanwhile has sent its 'close' already, and would be remembered for ever.
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

  #hear(organiseId: string, data: string): void {
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
    // A screen that does not read is cut off instead of being remembered for.
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

/** Undefined for what is no news of a list: anything may travel on a bus. */
function changedList(data: string): string | undefined {
  try {
    const event = LiveEvent.safeParse(JSON.parse(data)).data
    return event?.kind === 'changed' ? event.list : undefined
  } catch {
    return undefined
  }
}
