import type { LiveEvent } from '@wattdeck/contract/auth/notification.ts'

type Hear = (event: LiveEvent) => void
const hearers = new Set<Hear>()
const heardMs = new Map<string, number>()
const anyList = ''

/**
 * The shell reads the one stream of the tab and passes on here what a page may want to know. A greeting means that the
 * stream is new and earlier events are lost, so pages fetch their data again.
 */
export function announceLive(event: LiveEvent): void {
  if (event.kind === 'hello') heardMs.set(anyList, performance.now())
  if (event.kind === 'changed') heardMs.set(event.list, performance.now())
  for (const hear of hearers) hear(event)
}

/** When a list was last said to have changed, or may have: for a page that could not listen yet. */
export const lastChangeMs = (list: string): number =>
  Math.max(heardMs.get(list) ?? Number.NEGATIVE_INFINITY, heardMs.get(anyList) ?? Number.NEGATIVE_INFINITY)

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
