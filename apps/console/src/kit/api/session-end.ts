/** Connects the client, which detects the end of a session, with the shell, which handles it. */
type Listener = () => Promise<boolean> | void
const listeners = new Set<Listener>()
let untold = false
let expected = false
let answer: Promise<boolean> | undefined

/** Suppresses the announcement while the console ends the session on purpose. */
export function expectSessionEnd(yes: boolean) {
  expected = yes
}

/** A listener may return a promise: whether the same user has logged in again over the page. */
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

/** Resolves to whether the session was renewed, so that the client can retry. Concurrent callers share one login. */
export function announceSessionEnd(): Promise<boolean> {
  if (expected) return Promise.resolve(false)
  untold = listeners.size === 0
  answer ??= ask().finally(() => {
    answer = undefined
  })
  return answer
}

/** Whether a login over the page is in progress. */
export const isRenewing = () => answer !== undefined
