import { login } from '@wattdeck/contract/auth/login.ts'
import { session } from '@wattdeck/contract/auth/session.ts'
import { call } from '../../../kit/api/api.ts'
import { holdPartialToken, renewToken } from '../../../kit/api/token.ts'
import { keepUser } from '../../../kit/api/user.ts'

/**
 * Puts a finished login in the place of the session that has ended, if it is the same person's; answers whether it is.
 * Until that is known the token is only held: another person's must not reach the page.
 */
export async function renewSession(token: string, personId: string): Promise<boolean> {
  holdPartialToken(token)
  const { data: user } = await call(session.userInfo)
  if (user.id !== personId) {
    await call(login.logout).catch(() => undefined)
    return false
  }
  renewToken(token)
  keepUser(user)
  return true
}
