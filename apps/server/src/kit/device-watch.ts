import type { DevicePatch } from '@wattdeck/contract/product/device-live.ts'
import type { NatsConnection, Subscription } from '@nats-io/transport-node'
import type { Scope } from './scope.ts'

/** What the worker tells of a device after a commit: whose it is, and what is new on the screen. */
export type DeviceNews = { organiseId: string; agentId: string | null; siteId: string | null; patch: DevicePatch }
export const deviceSubject = (prefix: string, deviceId: string) => `${prefix}.device.live.${deviceId}`

const rowMs = 1000
const tickMs = 40

type Watcher = {
  scope: Scope
  tell: (rows: DevicePatch[]) => void
  waiting: Map<string, DevicePatch>
  toldAt: Map<string, number>
  timer: NodeJS.Timeout | undefined
}

/**
 * Devices that somebody looks at. Each has a subject of its own, so the bus brings only those; a row is told at once
 * and then at most once a second, with everything that happened meanwhile.
 */
export class DeviceWatch {
  #bus: { connection: NatsConnection; prefix: string } | undefined
  readonly #watched = new Map<string, { subscription: Subscription; watchers: Set<Watcher> }>()

  listen(connection: NatsConnection, prefix: string): void {
    this.#bus = { connection, prefix }
  }

  watch(scope: Scope, ids: readonly string[], tell: (rows: DevicePatch[]) => void): () => void {
    const watcher: Watcher = { scope, tell, waiting: new Map(), toldAt: new Map(), timer: undefined }
    for (const id of ids) this.#watchersOf(id).add(watcher)
    return () => {
      clearTimeout(watcher.timer)
      for (const id of ids) this.#forget(id, watcher)
    }
  }

  #watchersOf(id: string): Set<Watcher> {
    const known = this.#watched.get(id)
    if (known !== undefined) return known.watchers
    if (this.#bus === undefined) throw new Error('watched before the bus was there')
    const watchers = new Set<Watcher>()
    const subscription = this.#bus.connection.subscribe(deviceSubject(this.#bus.prefix, id), {
      callback: (error, message) => {
        if (error !== null) return
        const news = message.json<DeviceNews>()
        for (const watcher of watchers) if (sees(watcher.scope, news)) this.#keep(watcher, news.patch)
      },
    })
    this.#watched.set(id, { subscription, watchers })
    return watchers
  }

  #forget(id: string, watcher: Watcher): void {
    const known = this.#watched.get(id)
    known?.watchers.delete(watcher)
    if (known?.watchers.size !== 0) return
    known.subscription.unsubscribe()
    this.#watched.delete(id)
  }

  #keep(watcher: Watcher, patch: DevicePatch): void {
    const before = watcher.waiting.get(patch.id)
    watcher.waiting.set(patch.id, before === undefined ? patch : merged(before, patch))
    watcher.timer ??= setTimeout(() => this.#flush(watcher), tickMs)
  }

  #flush(watcher: Watcher): void {
    const now = performance.now()
    const ready = [...watcher.waiting.values()].filter(({ id }) => now - (watcher.toldAt.get(id) ?? -rowMs) >= rowMs)
    for (const { id } of ready) {
      watcher.waiting.delete(id)
      watcher.toldAt.set(id, now)
    }
    watcher.timer = watcher.waiting.size === 0 ? undefined : setTimeout(() => this.#flush(watcher), tickMs)
    if (ready.length > 0) watcher.tell(ready)
  }
}

/** The same as row security would say. */
function sees(scope: Scope, { organiseId, agentId, siteId }: DeviceNews): boolean {
  if (scope.level === 0) return true
  if (organiseId !== scope.organiseId) return false
  if (scope.level === 2) return agentId !== null && scope.agentIds.includes(agentId)
  return scope.level === 1 || (siteId !== null && scope.siteIds.includes(siteId))
}

function merged(before: DevicePatch, patch: DevicePatch): DevicePatch {
  const ports = new Map([...before.ports, ...patch.ports].map((port) => [port.portNo, port]))
  return { ...patch, ports: [...ports.values()] }
}
