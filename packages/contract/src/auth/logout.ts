import { done, post } from '../kit/route.ts'

/** Apart from the other routes of the login: the shell of the console needs this one only. */
export const logout = post('/seeker/api/logout', {
  access: 'partial',
  audit: { module: '登录', does: '退出登录' },
  data: done,
})
