/**
 * Harmless changes that are shown at once and sent after a delay, so that the user can undo them until then.
 * Not for money, rights or devices, which require a confirmation first.
 */
type Doing<V> = {
  /** Rejects when the server refuses the change. `leaving`: the page may be gone before the response. */
  send: (key: string, value: V, leaving: boolean) => Promise<void>
  /** Called when the displayed values have changed. */
  changed: () => void
  offerUndo: (key: string, text: string) => void
  withdrawOffer: (key: string) => void
  failed: (error: unknown) => void
  delayMs?: number
}
type Waiting<V> = { before: V; after: V; timer: ReturnType<typeof setTimeout> }

export function undoQueue<V>({ send, changed, offerUndo, withdrawOffer, failed, delayMs = 5000 }: Doing<V>) {
  const waiting = new Map<string, Waiting<V>>()
  const underWay = new Map<string, V>()
  let last: Promise<void> = Promise.resolve()

  function take(key: string): Waiting<V> | undefined {
    const one = waiting.get(key)
    clearTimeout(one?.timer)
    if (waiting.delete(key)) withdrawOffer(key)
    return one
  }

  /** Sends one change after the other, because the last value of a key must arrive last. */
  function sendNow(key: string, leaving: boolean): Promise<void> {
    const one = take(key)
    if (!one) return last
    underWay.set(key, one.after)
    changed()
    last = last
      .then(() => send(key, one.after, leaving))
      .catch(failed)
      .finally(() => {
        underWay.delete(key)
        changed()
      })
    return last
  }

  return {
    change: ({ key, before, after, text }: { key: string; before: V; after: V; text: string }): void => {
      const first = take(key)?.before ?? before
      // Back at the original value: nothing to send, nothing to undo.
      if (first !== after) {
        waiting.set(key, { before: first, after, timer: setTimeout(() => void sendNow(key, false), delayMs) })
        offerUndo(key, text)
      }
      changed()
    },
    undo: (key: string): void => {
      take(key)
      changed()
    },
    /** Sends all waiting changes now. */
    flush: async (leaving: boolean): Promise<void> => {
      await Promise.all([...waiting.keys()].map((key) => sendNow(key, leaving)))
    },
    /** The value to show, or undefined for the server's value. */
    shown: (key: string): V | undefined => waiting.get(key)?.after ?? underWay.get(key),
  }
}

const flushes = new Set<() => Promise<void>>()
/** Sends all waiting changes before a logout. */
export const flushUnsent = async (): Promise<void> => {
  await Promise.all([...flushes].map((flush) => flush()))
}
export function onFlush(flush: () => Promise<void>): () => void {
  flushes.add(flush)
  return () => {
    flushes.delete(flush)
  }
}
