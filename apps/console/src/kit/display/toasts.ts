/** Messages of code without rendering: the guard and the client. They wait until a listener subscribes. */
export type Toast = { tone: 'success' | 'warning' | 'error'; text: string }
type Listener = (toast: Toast) => void
let listener: Listener | undefined
const waiting: Toast[] = []

export function toast(tone: Toast['tone'], text: string) {
  if (listener) listener({ tone, text })
  else waiting.push({ tone, text })
}

export function onToast(show: Listener): () => void {
  listener = show
  for (const one of waiting.splice(0)) show(one)
  return () => {
    listener = undefined
  }
}
