import { basicServiceStatus } from '@wattdeck/contract/common.ts'
import type { UserInfo } from '@wattdeck/contract/auth/session.ts'
import { homePath, loginPath, overduePath } from '../kit/routing/paths.ts'
import { grantedKeys } from '../kit/api/rights.ts'
import type { Screen } from '../kit/routing/screen.ts'

/** The navigation guard of spec §2, line by line, without a router. */
const notLoggedInText = '您还未登录，请先登录！'

/** The specification's login-free names, and the public routes that it lists separately. */
const loginFree = new Set([
  'resetPassword',
  'error-401',
  'alipayAuth',
  'alipaySuccess',
  'fastLogin',
  'dataScreen',
  'error-404',
  'error-500',
])

export type Decision =
  | { go: 'on' }
  | { go: 'load' }
  | { go: 'redirect'; to: string; warning?: string }
  | { go: 'refuse'; menuKey: string }
export type Situation = {
  screen: Pick<Screen, 'name' | 'menuKey' | 'alwaysVisible'>
  /** Path and query of the requested page. */
  wanted: string
  hasToken: boolean
  user: Pick<UserInfo, 'basicServiceStatus' | 'menuTree'> | undefined
}

export const documentTitle = (title: string) => `${title} - 物联网控制平台`

export const loginFor = (wanted: string) =>
  wanted === '/' || wanted === homePath ? loginPath : `${loginPath}?redirect=${encodeURIComponent(wanted)}`

type ScreenAccess = Pick<Screen, 'menuKey' | 'alwaysVisible'>
export const maySee = ({ menuKey, alwaysVisible }: ScreenAccess, user: Pick<UserInfo, 'menuTree'> | undefined) =>
  alwaysVisible === true || menuKey === undefined || (user !== undefined && grantedKeys(user.menuTree).has(menuKey))

export function decide({ screen, wanted, hasToken, user }: Situation): Decision {
  if (screen.name === 'login') return hasToken ? { go: 'redirect', to: homePath } : { go: 'on' }
  if (loginFree.has(screen.name)) return { go: 'on' }
  if (!hasToken) return { go: 'redirect', to: loginFor(wanted), warning: notLoggedInText }
  if (!user) return { go: 'load' }
  if (screen.alwaysVisible) return { go: 'on' }
  if (user.basicServiceStatus === basicServiceStatus.code.arrears) return { go: 'redirect', to: overduePath }
  if (screen.menuKey !== undefined && !maySee(screen, user)) return { go: 'refuse', menuKey: screen.menuKey }
  return { go: 'on' }
}
