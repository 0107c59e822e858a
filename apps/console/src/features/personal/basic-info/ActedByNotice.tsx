import { Alert } from 'antd'
import { useUser } from '../../../kit/api/user.ts'

/** Somebody who came in by a quick-login link may not take the account over; the server refuses it as well. */
export function ActedByNotice({ what }: { what: string }) {
  const actedBy = useUser()?.actedBy
  return actedBy ? <Alert type="warning" showIcon title={`通过快捷登录进入的会话不能${what}`} /> : null
}
