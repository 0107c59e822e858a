import type { DevicePatch } from '@wattdeck/contract/product/device-live.ts'
import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node'
import type { Scope } from '../db/scope.ts'

/** What the worker tells of a device after a commit: whose it is, and what is new on the screen. */
export type DeviceUpdate = { organiseId: string; agentId: string | null; siteId: string | null; patch: DevicePatch }
export const deviceSubject = (prefix: string, deviceId: string) => `${prefix}.device.live.${deviceId}`

/** Undefined for what no worker of ours has written: anything may travel on a bus. */
function readNews(message: Msg): DeviceUpdate | undefined {
  try {
    return message.json<DeviceUpdate>()
  } catch {
    return undefined
  }
}

const rowMs = 1000
/** That a device lives and how well it hears is no news worth a second. */
const quietMs = 5000
const tickMs = 20

type Watcher = {
  scope: Scope
  tell: (rows: DevicePatch[]) => void
  waiting: Map<string, DevicePatch>
  told: Map<string, { at: number; newsAt: number; online: boolean }>
  timer: NodeJS.Timeout | undefined
}

/**
 * Devices that somebody looks at. Each has a subject of its own, so the bus brings only those. A row that came or went or
 * whose ports changed is told at once and then at most once a second, with everything that happened meanwhile; a mere sign
 * of life waits longer, and never holds up what is news.
 */
export class DeviceWatch {
  #bus: { connection: NatsConnection; prefix: string } | undefined
  readonly #watched = new Map<string, { subscription: Subscription; watchers: Set<Watcher> }>()

  listen(connection: NatsConnection, prefix: string): void {
    this.#bus = { connection, prefix }
  }

  watch(scope: Scope, ids: readonly string[], tell: (rows: DevicePatch[]) => void): () => void {
    const watcher: Watcher = { scope, tell, waiting: new Map(), told: new Map(), timer: undefined }
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
        const news = error === null ? readNews(message) : undefined
        if (news === undefined) return
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
    const ready: DevicePatch[] = []
    for (const patch of watcher.waiting.values()) {
      const told = watcher.told.get(patch.id)
      const isNews = patch.ports.length > 0 || patch.online !== told?.online
      const due = told === undefined || now - (isNews ? told.newsAt + rowMs : told.at + quietMs) >= 0
      if (!due) continue
      ready.push(patch)
      watcher.waiting.delete(patch.id)
      watcher.told.set(patch.id, { at: now, newsAt: isNews ? now : (told?.newsAt ?? -rowMs), online: patch.online })
    }
    watcher.timer = watcher.waiting.size === 0 ? undefined : setTimeout(() => this.#flush(watcher), tickMs)
    if (ready.length > 0) watcher.tell(ready)
  }
}

/** The same as row security would say. */
function sees(scope: Scope, { organiseId, agentId, siteId }: DeviceUpdate): boolean {
  if (scope.level === 0) return true
  if (organiseId !== scope.organiseId) return false
  if (scope.level === 2) return agentId !== null && scope.agentIds.includes(agentId)
  return scope.level === 1 || (siteId !== null && scope.siteIds.includes(siteId))
}

function merged(before: DevicePatch, patch: DevicePatch): DevicePatch {
  const ports = new Map([...before.ports, ...patch.ports].map((port) => [port.portNo, port]))
  return { ...patch, ports: [...ports.values()] }
}
