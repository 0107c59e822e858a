import type { BasicInfo } from '@wattdeck/contract/personal/basic-info.ts'
import { ownFactor } from '@wattdeck/contract/personal/own-factor.ts'
import { Link } from 'react-router'
import * as cells from '../../../kit/display/cells.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import { States } from '../../../kit/display/States.tsx'
import { useUser } from '../../../kit/api/user.ts'
import { FactorItems } from './FactorItems.tsx'
import { Section } from '../_shared/Section.tsx'

export function SecurityCard({ info }: { info: BasicInfo }) {
  const actedBy = useUser()?.actedBy
  return (
    <Section title="账号安全">
      {!actedBy && <OwnFactors />}
      <ul className="security">
        <li>
          <div>
            <h3>登录密码</h3>
            <p className="meta">上次修改于 {cells.time(info.passwordChangedAt)}</p>
          </div>
          <Link to="/personal/changePassword">修改密码</Link>
        </li>
      </ul>
    </Section>
  )
}

function OwnFactors() {
  const query = useDetail(ownFactor.read)
  return (
    <States query={query} rows={3}>
      {(factor) => (
        <ul className="security">
          <FactorItems factor={factor} />
        </ul>
      )}
    </States>
  )
}
