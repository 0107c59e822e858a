/** The client learns that a call needs the second factor once more, the shell asks for it; this is the wire between them. */
type Asking = () => Promise<boolean>
let asking: Asking | undefined
let answer: Promise<boolean> | undefined

export function onStepUp(ask: Asking): () => void {
  asking = ask
  return () => {
    if (asking === ask) asking = undefined
  }
}

/** Answers whether the second factor was proven, so that what was refused can be sent again. Asked once, however many ask. */
export function askSecondFactor(): Promise<boolean> {
  answer ??= (asking?.() ?? Promise.resolve(false)).finally(() => {
    answer = undefined
  })
  return answer
}
