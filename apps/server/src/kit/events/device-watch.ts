import type { DevicePatch } from '@wattdeck/contract/product/device-live.ts'
import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node'
import type { Scope } from '../db/scope.ts'

/** Update of a device that the worker publishes after a commit: its tenant and the changed fields of the screen. */
export type DeviceUpdate = { organiseId: string; agentId: string | null; siteId: string | null; patch: DevicePatch }
export const deviceSubject = (prefix: string, deviceId: string) => `${prefix}.device.live.${deviceId}`

/** Returns undefined for a malformed message. */
function readUpdate(message: Msg): DeviceUpdate | undefined {
  try {
    return message.json<DeviceUpdate>()
  } catch {
    return undefined
  }
}

const rowMs = 1000
/** Interval of updates without news, such as heartbeats and signal strength. */
const quietMs = 5000
const tickMs = 20

type Watcher = {
  scope: Scope
  send: (rows: DevicePatch[]) => void
  waiting: Map<string, DevicePatch>
  lastSent: Map<string, { at: number; newsAt: number; online: boolean }>
  timer: NodeJS.Timeout | undefined
}

/**
 * Watched devices. Each device has its own subject, so the bus delivers only watched devices. A changed online state or port
 * is sent at once, then at most once a second with all changes merged. A mere heartbeat waits longer and never delays such a
 * change.
 */
export class DeviceWatch {
  #bus: { connection: NatsConnection; prefix: string } | undefined
  readonly #watched = new Map<string, { subscription: Subscription; watchers: Set<Watcher> }>()

  listen(connection: NatsConnection, prefix: string): void {
    this.#bus = { connection, prefix }
  }

  watch(scope: Scope, ids: readonly string[], send: (rows: DevicePatch[]) => void): () => void {
    const watcher: Watcher = { scope, send, waiting: new Map(), lastSent: new Map(), timer: undefined }
    for (const id of ids) this.#watchersOf(id).add(watcher)
    return () => {
      clearTimeout(watcher.timer)
      for (const id of ids) this.#forget(id, watcher)
    }
  }

  #watchersOf(id: string): Set<Watcher> {
    const entry = this.#watched.get(id)
    if (entry !== undefined) return entry.watchers
    if (this.#bus === undefined) throw new Error('watched before the bus was connected')
    const watchers = new Set<Watcher>()
    const subscription = this.#bus.connection.subscribe(deviceSubject(this.#bus.prefix, id), {
      callback: (error, message) => {
        const update = error === null ? readUpdate(message) : undefined
        if (update === undefined) return
        for (const watcher of watchers) if (sees(watcher.scope, update)) this.#keep(watcher, update.patch)
      },
    })
    this.#watched.set(id, { subscription, watchers })
    return watchers
  }

  #forget(id: string, watcher: Watcher): void {
    const entry = this.#watched.get(id)
    entry?.watchers.delete(watcher)
    if (entry?.watchers.size !== 0) return
    entry.subscription.unsubscribe()
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
      const lastSent = watcher.lastSent.get(patch.id)
      const isChange = patch.ports.length > 0 || patch.online !== lastSent?.online
      const due = lastSent === undefined || now - (isChange ? lastSent.newsAt + rowMs : lastSent.at + quietMs) >= 0
      if (!due) continue
      ready.push(patch)
      watcher.waiting.delete(patch.id)
      watcher.lastSent.set(patch.id, {
        at: now,
        newsAt: isChange ? now : (lastSent?.newsAt ?? -rowMs),
        online: patch.online,
      })
    }
    watcher.timer = watcher.waiting.size === 0 ? undefined : setTimeout(() => this.#flush(watcher), tickMs)
    if (ready.length > 0) watcher.send(ready)
  }
}

/** Applies the same rule as row-level security. */
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
