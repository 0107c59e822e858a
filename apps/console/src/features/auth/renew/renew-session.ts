import { login } from '@wattdeck/contract/auth/login.ts'
import { session } from '@wattdeck/contract/auth/session.ts'
import { call } from '../../../kit/api/api.ts'
import { setPartialToken, renewToken } from '../../../kit/api/token.ts'
import { cacheUser } from '../../../kit/api/user.ts'

/**
 * Replaces the ended session by a completed login if it belongs to the same user; returns whether it does. Until then
 * the token is only held, so another user's token never reaches the page.
 */
export async function renewSession(token: string, personId: string): Promise<boolean> {
  setPartialToken(token)
  const { data: user } = await call(session.userInfo)
  if (user.id !== personId) {
    await call(login.logout).catch(() => undefined)
    return false
  }
  renewToken(token)
  cacheUser(user)
  return true
}
