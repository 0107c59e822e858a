import { PhoneOutlined } from '@ant-design/icons'
import { basicServiceStatus } from '@wattdeck/contract/common.ts'
import type { UserInfo } from '@wattdeck/contract/auth/session.ts'
import { baseService } from '@wattdeck/contract/system/base-service.ts'
import { App, Button } from 'antd'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import * as cells from '../../kit/display/cells.tsx'
import { errorText } from '../../kit/api/error-handling.ts'
import { homePath } from '../../kit/routing/paths.ts'
import { useDetail } from '../../kit/api/queries.ts'
import { ResultPane } from '../../kit/display/ResultPane.tsx'
import { basicServiceText } from '../../kit/display/service-text.ts'
import { States } from '../../kit/display/States.tsx'
import { StatusTag } from '../../kit/display/StatusTag.tsx'
import { useLogout } from '../../kit/api/use-logout.ts'
import { reloadUser, useUser } from '../../kit/api/user.ts'
import './_shared/auth.css'

const { arrears } = basicServiceStatus.code

export default function OverduePage() {
  const user = useUser()
  return user ? <Overdue user={user} /> : null
}

/** The target of every page while the basic service is in arrears; other users are redirected back. */
function Overdue({ user }: { user: UserInfo }) {
  const navigate = useNavigate()
  const logout = useLogout()
  const { message } = App.useApp()
  const [checking, setChecking] = useState(false)
  const [cameInArrears] = useState(user.basicServiceStatus === arrears)
  const { organiseId, agentId, basicServiceStatus: status } = user
  const service = useDetail(baseService.status, {
    query: { organiseId, baseService: 'PLATFORM', ...(agentId ? { agentId } : {}) },
  })
  const phone = service.data?.servicePhone
  const owes = status === arrears
  const paid = cameInArrears && !owes

  useEffect(() => {
    if (!paid) return
    void message.success('基础服务已恢复')
    void navigate(homePath, { replace: true })
  }, [paid, message, navigate])

  async function check() {
    setChecking(true)
    try {
      const [now] = await Promise.all([reloadUser(), service.refetch()])
      if (now.basicServiceStatus === arrears) void message.warning('基础服务仍处于欠费状态')
      else void navigate(homePath)
    } catch (error) {
      void message.error(errorText(error))
    } finally {
      setChecking(false)
    }
  }

  return (
    <ResultPane
      code="¥"
      title={basicServiceText(status, user.serviceExpiresOn)}
      actions={
        <>
          <Button type="primary" loading={checking} onClick={() => void check()}>
            刷新状态
          </Button>
          {phone && (
            <Button icon={<PhoneOutlined />} href={`tel:${phone.replaceAll(/[^\d+]/g, '')}`}>
              联系客服
            </Button>
          )}
          <Button onClick={logout}>退出登录</Button>
        </>
      }
    >
      <States query={service} rows={5}>
        {({ expiresOn, stopsOn, servicePhone }) => (
          <dl className="overdue-facts">
            <dt>{owes ? '欠费机构' : '机构'}</dt>
            <dd>{user.organiseName}</dd>
            <dt>{owes ? '欠费服务' : '服务'}</dt>
            <dd>基础服务</dd>
            <dt>到期日期</dt>
            <dd>{cells.text(expiresOn)}</dd>
            <dt>停服日期</dt>
            <dd>{cells.text(stopsOn)}</dd>
            <dt>基础服务状态</dt>
            <dd>
              <StatusTag of={basicServiceStatus} value={status} />
            </dd>
            <dt>客服电话</dt>
            <dd>{cells.text(servicePhone)}</dd>
          </dl>
        )}
      </States>
    </ResultPane>
  )
}
