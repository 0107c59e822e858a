import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

/**
 * Whether the server can be reached. TanStack's own switch is used for it: reads wait while it is off and resume when
 * it is on again. The browser turns it by its network; calls that get no answer turn it too, and then a probe asks for
 * a small file until something answers.
 */
const offlineAfter = 2
const probeEveryMs = 3000
const probePath = '/icon.svg'
let failures = 0
let probe: ReturnType<typeof setTimeout> | undefined

export const isOffline = () => !onlineManager.isOnline()

/** Something answered. */
export function noteAnswer() {
  failures = 0
  onlineManager.setOnline(true)
}

/** A call got no answer for want of a network. */
export function noteNoAnswer() {
  failures += 1
  if (failures >= offlineAfter) onlineManager.setOnline(false)
}

async function tryAgain() {
  probe = undefined
  try {
    await fetch(probePath, { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(probeEveryMs) })
    noteAnswer()
  } catch {
    if (isOffline()) lookOut()
  }
}

function lookOut() {
  probe ??= setTimeout(() => void tryAgain(), probeEveryMs)
}

/** From here on the connection is watched; called once, by the console's entry. */
export function watchConnection() {
  onlineManager.subscribe((online) => {
    if (!online) lookOut()
  })
  if (!globalThis.navigator.onLine) onlineManager.setOnline(false)
}

export const onConnection = (listener: (online: boolean) => void) => onlineManager.subscribe(listener)
export const useOffline = () => useSyncExternalStore(onConnection, isOffline)
