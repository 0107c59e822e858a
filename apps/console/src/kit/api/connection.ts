import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

/**
 * Whether the server is reachable, kept in TanStack's onlineManager: reads pause while it is offline and resume
 * afterwards. The browser's network events and calls without a response set it. While offline, a probe fetches a small
 * file until the server responds.
 */
const offlineAfter = 2
const probeEveryMs = 3000
const probePath = '/icon.svg'
let failures = 0
let probe: ReturnType<typeof setTimeout> | undefined

export const isOffline = () => !onlineManager.isOnline()

/** Records a response. */
export function recordResponse() {
  failures = 0
  onlineManager.setOnline(true)
}

/** Records a call that failed for lack of a network. */
export function recordNetworkFailure() {
  failures += 1
  if (failures >= offlineAfter) onlineManager.setOnline(false)
}

async function tryAgain() {
  probe = undefined
  try {
    await fetch(probePath, { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(probeEveryMs) })
    recordResponse()
  } catch {
    if (isOffline()) lookOut()
  }
}

function lookOut() {
  probe ??= setTimeout(() => void tryAgain(), probeEveryMs)
}

/** Starts to watch the connection. The console's entry calls it once. */
export function watchConnection() {
  onlineManager.subscribe((online) => {
    if (!online) lookOut()
  })
  if (!globalThis.navigator.onLine) onlineManager.setOnline(false)
}

export const onConnection = (listener: (online: boolean) => void) => onlineManager.subscribe(listener)
export const useOffline = () => useSyncExternalStore(onConnection, isOffline)
