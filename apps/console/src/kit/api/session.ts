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

/** The router is created after this module, so it registers its navigate function here. */
export const registerRouter = (navigate: (path: string) => void) => {
  goTo = navigate
}

/** Loads user, menu and appearance of this session. */
export async function loadSession() {
  const user = await loadUser()
  setAppearance(readAppearance(user.theme, user.color))
  return user
}

export const refreshSession = async () => {
  if (readToken()) await reloadUser()
}

const forgetting = new Set<() => void>([dropDrafts])
/** Registers a cleanup for logout: the next user of this browser must not see data of this one. */
export const onLogout = (forget: () => void) => {
  forgetting.add(forget)
}

/** Spec §4: clears the token, resets the user state and redirects after half a second. */
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

/** Logout by the user. It also succeeds when the server rejects the call. */
export async function logout() {
  await flushUnsent()
  await call(logoutRoute).catch(() => undefined)
  await leave()
}
