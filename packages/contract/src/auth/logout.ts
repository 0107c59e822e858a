import { done, post } from '../kit/route.ts'

/** Separate from the other login routes, because the shell of the console needs only this one. */
export const logout = post('/seeker/api/logout', {
  access: 'partial',
  audit: { module: '登录', does: '退出登录' },
  data: done,
})
