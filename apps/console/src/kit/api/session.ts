import { logout as logoutRoute } from '@wattdeck/contract/auth/logout.ts'
import { readAppearance } from '../theme/brand.ts'
import { call } from './api.ts'
import { setAppearance } from '../theme/appearance.ts'
import { dropDrafts } from '../form/drafts.ts'
import { queryClient } from './queries.ts'
import { dropToken, readToken } from './token.ts'
import { loadUser, reloadUser } from './user.ts'
import { loginPath } from '../routing/paths.ts'
import { flushUnsent } from '../form/undo-queue.ts'

const redirectDelayMs = 500
let goTo: (path: string) => void = (path) => globalThis.location.assign(path)

/** The router is made after the session, so it introduces itself. */
export const introduceRouter = (navigate: (path: string) => void) => {
  goTo = navigate
}

/** User, menu and appearance of this session. */
export async function loadSession() {
  const user = await loadUser()
  setAppearance(readAppearance(user.theme, user.color))
  return user
}

export const refreshSession = async () => {
  if (readToken()) await reloadUser()
}

const forgetting = new Set<() => void>([dropDrafts])
/** The next person at this browser must not see what this one had open. */
export const onLeave = (forget: () => void) => {
  forgetting.add(forget)
}

/** Spec §4: token cleared, user state reset, redirect after half a second. */
export function leave(to: string = loginPath): Promise<void> {
  dropToken()
  for (const forget of forgetting) forget()
  void queryClient.cancelQueries()
  queryClient.clear()
  return new Promise((resolve) => {
    setTimeout(() => {
      goTo(to)
      resolve()
    }, redirectDelayMs)
  })
}

/** The person asked for it. The server is told, but leaving does not wait for its blessing. */
export async function logout() {
  await flushUnsent()
  await call(logoutRoute).catch(() => undefined)
  await leave()
}
