/** Connects the client, which detects that a call requires the second factor again, with the dialog of the shell. */
type Asking = () => Promise<boolean>
let asking: Asking | undefined
let answer: Promise<boolean> | undefined

export function onStepUp(ask: Asking): () => void {
  asking = ask
  return () => {
    if (asking === ask) asking = undefined
  }
}

/** Resolves to whether the second factor was verified, so that the client can retry. Concurrent callers share one dialog. */
export function requestSecondFactor(): Promise<boolean> {
  answer ??= (asking?.() ?? Promise.resolve(false)).finally(() => {
    answer = undefined
  })
  return answer
}
