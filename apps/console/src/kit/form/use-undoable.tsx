import type { AnyRoute, BodyOf } from '@wattdeck/contract/kit/route.ts'
import { App, Button } from 'antd'
import { useEffect, useReducer, useState } from 'react'
import { call } from '../api/api.ts'
import { submitTexts } from '../api/error-handling.ts'
import { refetchRoutes } from '../api/queries.ts'
import { onFlush, undoQueue } from './undo-queue.ts'

type Options<R extends AnyRoute, V> = {
  bodyOf: (key: string, value: V) => BodyOf<R>
  /** Routes to refetch after the server has accepted the change. */
  refresh: readonly AnyRoute[]
}

/**
 * Harmless switches: shown at once, sent after five seconds in which a message offers 撤销, rolled back with the
 * server's message when rejected. Leaving or hiding the page sends them at once.
 */
export function useUndoable<R extends AnyRoute, V>(route: R, { bodyOf, refresh }: Options<R, V>) {
  const { message } = App.useApp()
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const [queue] = useState(() => {
    const own = undoQueue<V>({
      send: async (key, value, leaving) => {
        await call(route, { body: bodyOf(key, value), keepalive: leaving })
        await refetchRoutes(refresh)
      },
      changed: redraw,
      offerUndo: (key, text) =>
        void message.open({
          key: `undo-${key}`,
          type: 'success',
          duration: 0,
          content: (
            <span className="undo-offer">
              {text}
              <Button type="link" onClick={() => own.undo(key)}>
                撤销
              </Button>
            </span>
          ),
        }),
      withdrawOffer: (key) => message.destroy(`undo-${key}`),
      failed: (error) => void message.error(submitTexts(error).join('；')),
    })
    return own
  })
  useEffect(() => {
    const stop = onFlush(() => queue.flush(false))
    const onHide = () => {
      if (document.visibilityState === 'hidden') void queue.flush(true)
    }
    document.addEventListener('visibilitychange', onHide)
    globalThis.addEventListener('pagehide', onHide)
    return () => {
      stop()
      document.removeEventListener('visibilitychange', onHide)
      globalThis.removeEventListener('pagehide', onHide)
      void queue.flush(false)
    }
  }, [queue])
  return { shown: queue.shown, change: queue.change }
}
