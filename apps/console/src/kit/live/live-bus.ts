import type { LiveEvent } from '@wattdeck/contract/auth/notification.ts'

type Listener = (event: LiveEvent) => void
const listeners = new Set<Listener>()
const changedAtMs = new Map<string, number>()
const anyList = ''

/**
 * The shell reads the single stream of the tab and publishes its events to the pages here. A hello event means that the
 * stream is new and earlier events are lost, so pages fetch their data again.
 */
export function publishLive(event: LiveEvent): void {
  if (event.kind === 'hello') changedAtMs.set(anyList, performance.now())
  if (event.kind === 'changed') changedAtMs.set(event.list, performance.now())
  for (const listener of listeners) listener(event)
}

/** When a list last changed, or may have changed: for a page that had not subscribed yet. */
export const lastChangeMs = (list: string): number =>
  Math.max(changedAtMs.get(list) ?? Number.NEGATIVE_INFINITY, changedAtMs.get(anyList) ?? Number.NEGATIVE_INFINITY)

/** Subscribes to every live event; returns the function that unsubscribes. */
export function subscribeLive(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

const watchers = new Map<symbol, readonly string[]>()
let onWatch: () => void = () => undefined

/** The devices that this tab shows. The stream is reopened when they change. */
export const watchedDevices = (): string[] => [...new Set([...watchers.values()].flat())].toSorted()
export function onWatchChange(act: () => void): void {
  onWatch = act
}

/** Subscribes to reports of these devices, as events of the kind 'devices'; returns the function that unsubscribes. */
export function watchDevices(ids: readonly string[]): () => void {
  const key = Symbol('watcher')
  watchers.set(key, ids)
  onWatch()
  return () => {
    watchers.delete(key)
    onWatch()
  }
}
