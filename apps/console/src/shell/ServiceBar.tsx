import { ExclamationCircleFilled } from '@ant-design/icons'
import { basicServiceStatus } from '@wattdeck/contract/common.ts'
import type { UserInfo } from '@wattdeck/contract/auth/session.ts'
import { basicServiceText } from '../kit/display/service-text.ts'

/** Above every page while the basic service is about to end; in arrears the overdue page says more. */
export function ServiceBar({ user }: { user: UserInfo }) {
  if (user.basicServiceStatus !== basicServiceStatus.code.warning) return null
  return (
    <p className="service-bar" role="note">
      <ExclamationCircleFilled aria-hidden />
      {basicServiceText(user.basicServiceStatus, user.serviceExpiresOn)}
    </p>
  )
}
