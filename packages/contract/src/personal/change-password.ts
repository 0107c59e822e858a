import { done, post } from '../kit/route.ts'
import { row, secret } from '../kit/wire.ts'

export const changePassword = {
  /** Ends every session of the user, this one included. */
  change: post('/seeker/api/personal/changePassword', {
    access: 'anyone',
    audit: { module: '个人中心', does: '修改密码' },
    body: row({ oldPassword: secret(128), newPassword: secret(64) }),
    data: done,
  }),
}
