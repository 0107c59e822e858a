import { basicServiceStatus } from '@wattdeck/contract/common.ts'
import type { UserInfo } from '@wattdeck/contract/auth/session.ts'
import { basicServiceText } from '../../../kit/display/service-text.ts'

type Props = { status: UserInfo['basicServiceStatus']; expiresOn: string | null; now: number }

/** The basic service status in its colour. */
export function ServiceCard({ status, expiresOn, now }: Props) {
  const { label, tone = 'off' } = basicServiceStatus.show(status)
  return (
    <section className="panel figure service" data-area="service" data-tone={tone} aria-label="基础服务">
      <h2>基础服务</h2>
      <p className="figure-value">{label}</p>
      <p className="figure-note service-text">{basicServiceText(status, expiresOn, now)}</p>
    </section>
  )
}
