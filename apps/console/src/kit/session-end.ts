/** The client knows that a session has ended, the shell knows what to do then; this is the wire between them. */
type Listener = () => void
const listeners = new Set<Listener>()
let untold = false
let expected = false

/** Whoever ends the session on purpose says so: then its end is no news. */
export function expectSessionEnd(yes: boolean) {
  expected = yes
}

export function onSessionEnd(listener: Listener): () => void {
  listeners.add(listener)
  if (untold) listener()
  untold = false
  return () => {
    listeners.delete(listener)
  }
}

export function announceSessionEnd() {
  if (expected) return
  untold = listeners.size === 0
  for (const listener of listeners) listener()
}
