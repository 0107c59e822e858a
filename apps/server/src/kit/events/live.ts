import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { LiveEvent } from '@wattdeck/contract/auth/notification.ts'
import { defaultOrganiseId } from '@wattdeck/domain/roles.ts'
import type { NatsConnection } from '@nats-io/transport-node'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Gauge } from 'prom-client'
import type { Actor } from '../auth/actor.ts'
import { DeviceWatch } from './device-watch.ts'
import { bearerToken } from '../auth/admit.ts'
import { Throttle } from '../jobs/throttle.ts'
import { forbidden, overloaded } from '../http/refusal.ts'
import type { SessionStore } from '../auth/session-store.ts'
import { sha256 } from '../auth/tokens.ts'

const heartbeatMs = 15_000
const maxPerUser = 20
const maxAll = 5000
const changedMs = 1000
/** Menus with live device data. */
const watching: readonly string[] = [menuKey.deviceManage, menuKey.unfinishedOrder]

const streams = new Gauge({ name: 'live_streams', help: 'Open live streams of this process' })

type Listener = { actor: Actor; token: string; devices: readonly string[]; reply: FastifyReply; unwatch: () => void }

/** Event streams of the consoles that are connected to this instance. Forwards their events from the bus. */
export class LiveHub {
  readonly #sessions: SessionStore
  readonly #listeners = new Map<string, Set<Listener>>()
  readonly #heartbeat: NodeJS.Timeout
  readonly #throttle = new Throttle(changedMs)
  readonly #devices = new DeviceWatch()
  #beating = false
  #count = 0
  #connected = false

  constructor(sessions: SessionStore) {
    this.#sessions = sessions
    this.#heartbeat = setInterval(() => {
      if (this.#beating) return
      this.#beating = true
      void this.#beat().finally(() => (this.#beating = false))
    }, heartbeatMs).unref()
  }

  /**
   * Subjects are prefix.live.<organise>.all and prefix.live.<organise>.user.<user>; the latter reaches only consoles of that
   * user. Returns when the connection ends. While the bus is unavailable, streams are refused, so that consoles poll.
   */
  async listen(bus: NatsConnection, prefix: string): Promise<void> {
    bus.subscribe(`${prefix}.live.*.all`, {
      callback: (error, message) => {
        if (error !== null) return
        const [organiseId = ''] = message.subject.slice(prefix.length + '.live.'.length).split('.')
        this.#sendToOrganisation(organiseId, message.string())
      },
    })
    bus.subscribe(`${prefix}.live.*.user.*`, {
      callback: (error, message) => {
        if (error !== null) return
        const event = readEvent(message.string())
        if (event === undefined) return
        const data = JSON.stringify(event)
        const [organiseId, , userId] = message.subject.slice(prefix.length + '.live.'.length).split('.')
        for (const listener of this.#listeners.get(userId ?? '') ?? []) {
          if (listener.actor.organiseId !== organiseId) continue
          if (event.kind === 'revoked') void this.#judge(listener)
          else this.#send(listener, data)
        }
      },
    })
    this.#devices.listen(bus, prefix)
    this.#connected = true
    for await (const { type } of bus.status()) {
      if (type === 'reconnect') this.#connected = true
      if (type === 'disconnect') {
        this.#connected = false
        this.#endAll()
      }
    }
  }

  open(actor: Actor, devices: readonly string[], request: FastifyRequest, reply: FastifyReply): void {
    if (!this.#connected) throw overloaded('实时消息暂不可用')
    if (devices.length > 0 && !mayWatch(actor)) throw forbidden()
    const own = this.#listeners.get(actor.userId) ?? new Set()
    if (this.#count >= maxAll) throw overloaded('打开的页面过多')
    // Evicts the oldest stream: behind a proxy it may belong to a closed page.
    const [oldest] = own
    if (oldest !== undefined && own.size >= maxPerUser) oldest.reply.raw.destroy()
    reply.hijack()
    const { raw } = reply
    // A disconnected client has already emitted 'close', so its listener would leak.
    if (raw.destroyed || request.raw.destroyed) return
    raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    const listener: Listener = { actor, token: bearerToken(request), devices, reply, unwatch: () => undefined }
    this.#watch(listener)
    own.add(listener)
    streams.set(++this.#count)
    this.#listeners.set(actor.userId, own)
    raw.on('close', () => this.#drop(listener))
    const hello: LiveEvent = { kind: 'hello', at: shanghaiNow() }
    this.#send(listener, JSON.stringify(hello))
  }

  /** Watches the devices of a stream within the current scope of its holder. */
  #watch(listener: Listener): void {
    const { actor, devices } = listener
    listener.unwatch()
    listener.unwatch = this.#devices.watch(actor.scope, mayWatch(actor) ? devices : [], (rows) => {
      const event: LiveEvent = { kind: 'devices', rows }
      this.#send(listener, JSON.stringify(event))
    })
  }

  close(): void {
    clearInterval(this.#heartbeat)
    this.#throttle.stop()
    this.#endAll()
  }

  #endAll(): void {
    for (const own of this.#listeners.values()) for (const { reply } of own) reply.raw.end()
  }

  /**
   * Sends to the people of an organisation and of the platform, who see every organisation. Forwards only 'changed' and 'job'
   * events; no such message can end a session.
   */
  #sendToOrganisation(organiseId: string, data: string): void {
    const event = readEvent(data)
    for (const audience of new Set([organiseId, defaultOrganiseId])) {
      const sendToAudience = () => {
        for (const own of this.#listeners.values())
          for (const listener of own) if (listener.actor.organiseId === audience) this.#send(listener, data)
      }
      if (event?.kind === 'changed') this.#throttle.run(`${audience} ${event.list}`, sendToAudience)
      else if (event?.kind === 'job') sendToAudience()
    }
  }

  #send({ reply }: Listener, data: string): void {
    // Backpressure: a console that does not read is disconnected instead of buffered for.
    if (reply.raw.writableLength > 256 * 1024) reply.raw.destroy()
    else reply.raw.write(`data: ${data}\n\n`)
  }

  #drop(listener: Listener): void {
    listener.unwatch()
    const own = this.#listeners.get(listener.actor.userId)
    if (own?.delete(listener) === true) streams.set(--this.#count)
    if (own?.size === 0) this.#listeners.delete(listener.actor.userId)
  }

  /** Heartbeat: keeps proxies from closing the connection, applies changed rights and ends streams of ended sessions. */
  async #beat(): Promise<void> {
    for (const own of this.#listeners.values()) for (const listener of own) await this.#beatOne(listener)
  }

  /** Checks a stream after a 'revoked' event of its person. A session that was opened since is still valid. */
  async #judge(listener: Listener): Promise<void> {
    await this.#sessions.forget([sha256(listener.token)])
    await this.#beatOne(listener)
  }

  async #beatOne(listener: Listener): Promise<void> {
    const actor = await this.#sessions.find(listener.token, false).catch(() => listener.actor)
    if (listener.reply.raw.destroyed) return
    if (actor === undefined) {
      const revoked: LiveEvent = { kind: 'revoked' }
      this.#send(listener, JSON.stringify(revoked))
      listener.reply.raw.end()
    } else if (sees(actor) === sees(listener.actor)) listener.reply.raw.write(': beat\n\n')
    else {
      // The event of the change may be lost or still in transit.
      const rights: LiveEvent = { kind: 'rights' }
      listener.actor = actor
      this.#watch(listener)
      this.#send(listener, JSON.stringify(rights))
    }
  }
}

const mayWatch = (actor: Actor) => watching.some((menu) => actor.menuKeys.includes(menu))
const sees = ({ scope, menuKeys, grants }: Actor) => JSON.stringify([scope, menuKeys, grants])

/** Returns undefined for a malformed message. */
function readEvent(data: string): LiveEvent | undefined {
  try {
    return LiveEvent.safeParse(JSON.parse(data)).data
  } catch {
    return undefined
  }
}

const shanghai = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Asia/Shanghai',
  dateStyle: 'short',
  timeStyle: 'medium',
})
export const shanghaiNow = () => shanghai.format(new Date())
