import { App } from 'antd'
import { type ReactNode, useEffect } from 'react'
import { sessionEndedText } from '../kit/error-handling.ts'
import { leave } from '../kit/session.ts'
import { onSessionEnd } from '../kit/session-end.ts'
import { onToast } from '../kit/toasts.ts'
import { loginFor } from './guard.ts'

const noticeMs = 1000

/** Shows what the guard and the client have to say, and leaves when the session has ended. */
export function SessionWatch({ children }: { children: ReactNode }) {
  const { message, notification } = App.useApp()
  useEffect(() => onToast(({ tone, text }) => void message[tone](text)), [message])
  useEffect(() => {
    let leaving: ReturnType<typeof setTimeout> | undefined
    const stop = onSessionEnd(() => {
      // Several calls may learn of it at once.
      if (leaving !== undefined) return
      notification.warning({ title: sessionEndedText, duration: noticeMs / 1000, key: 'session-ended' })
      const back = loginFor(globalThis.location.pathname + globalThis.location.search)
      leaving = setTimeout(() => {
        leaving = undefined
        void leave(back)
      }, noticeMs)
    })
    return () => {
      stop()
      clearTimeout(leaving)
    }
  }, [notification])
  return children
}
