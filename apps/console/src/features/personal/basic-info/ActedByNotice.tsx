import { Alert } from 'antd'
import { useUser } from '../../../kit/api/user.ts'

/** A session of a quick-login link must not take over the account; the server refuses it as well. */
export function ActedByNotice({ what }: { what: string }) {
  const actedBy = useUser()?.actedBy
  return actedBy ? <Alert type="warning" showIcon title={`通过快捷登录进入的会话不能${what}`} /> : null
}
