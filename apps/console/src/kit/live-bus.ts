import type { LiveEvent } from '@wattdeck/contract/session/notification.ts'

type Hear = (event: LiveEvent) => void
const hearers = new Set<Hear>()
let greeted = false

/**
 * The shell reads the one stream of the tab and passes on here what a page may want to know. The first greeting is none
 * of it; a later one means that the stream was away, and that what happened meanwhile was told to nobody.
 */
export function announceLive(event: LiveEvent): void {
  const first = event.kind === 'hello' && !greeted
  greeted ||= first
  if (!first) for (const hear of hearers) hear(event)
}

/** Hears every live event until the answered function is called. */
export function hearLive(hear: Hear): () => void {
  hearers.add(hear)
  return () => void hearers.delete(hear)
}

const watchers = new Map<symbol, readonly string[]>()
let onWatch: () => void = () => undefined

/** The devices that this tab shows. The stream is opened again when they change. */
export const watchedDevices = (): string[] => [...new Set([...watchers.values()].flat())].toSorted()
export function whenWatchChanges(act: () => void): void {
  onWatch = act
}

/** Asks for what these devices say, as events of the kind 'devices', until the answered function is called. */
export function watchDevices(ids: readonly string[]): () => void {
  const key = Symbol('watcher')
  watchers.set(key, ids)
  onWatch()
  return () => {
    watchers.delete(key)
    onWatch()
  }
}
