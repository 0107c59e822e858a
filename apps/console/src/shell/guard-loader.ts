import { redirect } from 'react-router'
import { ApiError } from '../kit/api/api-error.ts'
import { errorText } from '../kit/api/error-handling.ts'
import { loginPath } from '../kit/routing/paths.ts'
import type { Screen } from '../kit/routing/screen.ts'
import { leave, loadSession } from '../kit/api/session.ts'
import { toast } from '../kit/display/toasts.ts'
import { readToken } from '../kit/api/token.ts'
import { knownUser } from '../kit/api/user.ts'
import { decide } from './guard.ts'

/** Runs before a screen is shown: what guard.ts decides, done. */
export const guardLoader =
  (screen: Screen) =>
  async ({ request }: { request: Request }): Promise<null> => {
    const { pathname, search } = new URL(request.url)
    const judge = () => decide({ screen, wanted: pathname + search, hasToken: readToken() !== null, user: knownUser() })
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
    // A browser that goes to another page first drops the calls of this one. Whoever reloads has not logged out: a page
    // that is left does not live to ask again.
    if (!isLast && error instanceof ApiError && error.failure === 'network') {
      await pause(1000)
      return loadOrLeave(true)
    }
    // An ended session has its own words and its own way out, see SessionWatch; this one only waits for it.
    if (error instanceof ApiError && error.status === 401) await pause(2000)
    else {
      toast('error', errorText(error))
      await leave()
    }
    throw redirect(loginPath)
  }
}
