import type { BasicInfo } from '@wattdeck/contract/personal/basic-info.ts'
import { Button } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import * as cells from '../kit/cells.tsx'
import { Tag } from '../kit/StatusTag.tsx'
import { useUser } from '../kit/user.ts'
import { EnrolDialog } from './basic-info.enrol-dialog.tsx'
import { Section } from './Section.tsx'

export function SecurityCard({ info }: { info: BasicInfo }) {
  const actedBy = useUser()?.actedBy
  const [enrolling, setEnrolling] = useState(false)
  const { secondFactorSince: since } = info
  return (
    <Section title="账号安全">
      <ul className="security">
        <li>
          <div>
            <h3>
              动态口令 <Tag tone={since ? 'ok' : 'warn'}>{since ? '已绑定' : '未绑定'}</Tag>
            </h3>
            <p className="meta">
              {since ? <>绑定于 {cells.time(since)}</> : '绑定后，登录时还需输入身份验证器上的 6 位数字'}
            </p>
          </div>
          {!since && !actedBy && <Button onClick={() => setEnrolling(true)}>绑定动态口令</Button>}
        </li>
        <li>
          <div>
            <h3>登录密码</h3>
            <p className="meta">上次修改于 {cells.time(info.passwordChangedAt)}</p>
          </div>
          <Link to="/personal/changePassword">修改密码</Link>
        </li>
      </ul>
      {enrolling && <EnrolDialog onClose={() => setEnrolling(false)} />}
    </Section>
  )
}
