import { redirect } from 'react-router'
import { ApiError } from '../kit/api/api-error.ts'
import { errorText } from '../kit/api/error-handling.ts'
import { loginPath } from '../kit/routing/paths.ts'
import type { Screen } from '../kit/routing/screen.ts'
import { leave, loadSession } from '../kit/api/session.ts'
import { toast } from '../kit/display/toasts.ts'
import { readToken } from '../kit/api/token.ts'
import { cachedUser } from '../kit/api/user.ts'
import { decide } from './guard.ts'

/** Runs before a screen is shown: carries out the decision of guard.ts. */
export const guardLoader =
  (screen: Screen) =>
  async ({ request }: { request: Request }): Promise<null> => {
    const { pathname, search } = new URL(request.url)
    const judge = () =>
      decide({ screen, wanted: pathname + search, hasToken: readToken() !== null, user: cachedUser() })
    let decision = judge()
    if (decision.go === 'load') {
      await loadOrLeave()
      decision = judge()
    }
    if (decision.go === 'redirect') {
      if (decision.warning) toast('warning', decision.warning)
      throw redirect(decision.to)
    }
    if (decision.go === 'refuse') throw Response.json({ menuKey: decision.menuKey }, { status: 403 })
    return null
  }

const pause = (ms: number) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })

/** A failed fetch of user info or menu logs out (spec §4). */
async function loadOrLeave(isLast = false): Promise<void> {
  try {
    await loadSession()
  } catch (error) {
    // A browser aborts pending calls when it leaves a page. A reload must not log out: the page is gone before the retry.
    if (!isLast && error instanceof ApiError && error.failure === 'network') {
      await pause(1000)
      return loadOrLeave(true)
    }
    // SessionWatch reports an ended session and leaves; the guard only waits for it.
    if (error instanceof ApiError && error.status === 401) await pause(2000)
    else {
      toast('error', errorText(error))
      await leave()
    }
    throw redirect(loginPath)
  }
}
