import type { UserInfo } from '@wattdeck/contract/auth/session.ts'
import { App } from 'antd'
import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { loadLoginAgain } from '../features/auth/routes.ts'
import { sessionEndedText } from '../kit/api/error-handling.ts'
import { leave } from '../kit/api/session.ts'
import { onSessionEnd } from '../kit/api/session-end.ts'
import { readToken } from '../kit/api/token.ts'
import { onToast } from '../kit/display/toasts.ts'
import { hasUnsaved } from '../kit/form/unsaved.ts'
import { cachedUser } from '../kit/api/user.ts'
import { loginFor } from './guard.ts'

const noticeMs = 1000
type DialogProps = { user: UserInfo; onRenewed: () => void; onLeave: () => void }
type Asking = { Dialog: ComponentType<DialogProps>; user: UserInfo; answer: (renewed: boolean) => void }

/**
 * Shows the toasts of the guard and the client. When the session has ended it leaves, unless a form on the page has
 * unsaved input: then the same user may log in again over the page.
 */
export function SessionWatch({ children }: { children: ReactNode }) {
  const { message, notification } = App.useApp()
  const [asking, setAsking] = useState<Asking>()
  useEffect(() => onToast(({ tone, text }) => void message[tone](text)), [message])
  useEffect(() => {
    let leaving: ReturnType<typeof setTimeout> | undefined
    function sayGoodbye() {
      // Several calls may report it at once.
      if (leaving !== undefined) return
      notification.warning({ title: sessionEndedText, duration: noticeMs / 1000, key: 'session-ended' })
      const ended = readToken()
      const back = loginFor(globalThis.location.pathname + globalThis.location.search)
      leaving = setTimeout(() => {
        leaving = undefined
        // The stream may report the end before the response with another session has arrived.
        if (readToken() === ended) void leave(back)
      }, noticeMs)
    }
    async function askAgain(user: UserInfo): Promise<boolean> {
      const Dialog = await loadLoginAgain()
      const renewed = await new Promise<boolean>((answer) => setAsking({ Dialog, user, answer }))
      setAsking(undefined)
      return renewed
    }
    const stop = onSessionEnd(async () => {
      const user = cachedUser()
      // A user of a quick-login link has no password to log in again.
      const mayAsk = leaving === undefined && user !== undefined && user.actedBy === null && hasUnsaved()
      const renewed = mayAsk && (await askAgain(user).catch(() => false))
      if (!renewed) sayGoodbye()
      return renewed
    })
    return () => {
      stop()
      clearTimeout(leaving)
    }
  }, [notification])
  return (
    <>
      {children}
      {asking && (
        <asking.Dialog user={asking.user} onRenewed={() => asking.answer(true)} onLeave={() => asking.answer(false)} />
      )}
    </>
  )
}
