import { userType } from '@wattdeck/contract/common.ts'
import { basicInfo, type BasicInfo } from '@wattdeck/contract/personal/basic-info.ts'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import * as cells from '../../../kit/display/cells.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import { States } from '../../../kit/display/States.tsx'
import { AppearancePicker } from '../../../kit/theme/AppearancePicker.tsx'
import { useUser } from '../../../kit/api/user.ts'
import { AvatarUpload } from './AvatarUpload.tsx'
import { NotificationSettings } from './NotificationSettings.tsx'
import { PersonalFrame } from '../_shared/PersonalFrame.tsx'
import { ProfileForm } from './ProfileForm.tsx'
import { Section } from '../_shared/Section.tsx'
import { SecurityCard } from './SecurityCard.tsx'
import { SessionsCard } from './SessionsCard.tsx'

const factsOf = (info: BasicInfo): [string, ReactNode][] => [
  ['登录账号', info.loginName],
  ['工号', info.employeeNo],
  [
    '手机号',
    <span key="phone" className="fact-with-link">
      {info.phone}
      <Link to="/personal/bindPhone">绑定手机</Link>
    </span>,
  ],
  ['机构', info.organiseName],
  ['部门', cells.text(info.departmentName)],
  ['角色', cells.text(info.roleNames.join('、'))],
  ['用户类型', cells.label(userType, info.userType)],
]

export default function BasicInfoPage() {
  const query = useDetail(basicInfo.read)
  const actedBy = useUser()?.actedBy
  return (
    <PersonalFrame title="基本信息">
      <States query={query} rows={8}>
        {(info) => (
          <div className="personal-grid">
            <div className="personal-column">
              <Section title="个人资料">
                <AvatarUpload name={info.name} avatar={info.avatar} />
                <ProfileForm info={info} />
              </Section>
              <Section title="账号信息">
                <dl className="facts">
                  {factsOf(info).map(([name, value]) => (
                    <div key={name}>
                      <dt>{name}</dt>
                      <dd>{value}</dd>
                    </div>
                  ))}
                </dl>
                <p className="meta">账号信息由管理员维护，如有变动请联系管理员。</p>
              </Section>
            </div>
            <div className="personal-column">
              <SecurityCard info={info} />
              {!actedBy && <SessionsCard />}
              <Section title="主题与颜色">
                <AppearancePicker />
              </Section>
              <NotificationSettings />
            </div>
          </div>
        )}
      </States>
    </PersonalFrame>
  )
}
