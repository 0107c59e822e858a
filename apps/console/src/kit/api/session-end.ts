/** The client knows that a session has ended, the shell knows what to do then; this is the wire between them. */
type Listener = () => Promise<boolean> | void
const listeners = new Set<Listener>()
let untold = false
let expected = false
let answer: Promise<boolean> | undefined

/** Whoever ends the session on purpose says so: then its end is no news. */
export function expectSessionEnd(yes: boolean) {
  expected = yes
}

/** A listener may answer with a promise: whether the same person has logged in again over the page. */
export function onSessionEnd(listener: Listener): () => void {
  listeners.add(listener)
  if (untold) void listener()
  untold = false
  return () => {
    listeners.delete(listener)
  }
}

async function ask(): Promise<boolean> {
  const answers = await Promise.all([...listeners].map(async (listener) => listener()))
  return answers.includes(true)
}

/** Answers whether the session was renewed, so that what was refused can be sent again. Asked once, however many ask. */
export function announceSessionEnd(): Promise<boolean> {
  if (expected) return Promise.resolve(false)
  untold = listeners.size === 0
  answer ??= ask().finally(() => {
    answer = undefined
  })
  return answer
}

/** Somebody is asked to log in again right now. */
export const isRenewing = () => answer !== undefined
