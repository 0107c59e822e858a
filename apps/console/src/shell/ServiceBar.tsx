import { ExclamationCircleFilled } from '@ant-design/icons'
import type { UserInfo } from '@wattdeck/contract/auth/session.ts'
import { basicServiceText } from '../kit/display/service-text.ts'

/** Shown above every page while the basic service is about to end; in arrears the overdue page replaces it. */
export default function ServiceBar({ user }: { user: UserInfo }) {
  return (
    <p className="service-bar" role="note">
      <ExclamationCircleFilled aria-hidden />
      {basicServiceText(user.basicServiceStatus, user.serviceExpiresOn)}
    </p>
  )
}
