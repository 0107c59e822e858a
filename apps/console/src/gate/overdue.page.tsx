import { basicServiceStatus } from '@wattdeck/contract/common.ts'
import { App, Button } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { errorText } from '../kit/error-handling.ts'
import { homePath } from '../kit/paths.ts'
import { ResultPane } from '../kit/ResultPane.tsx'
import { StatusTag } from '../kit/StatusTag.tsx'
import { reloadUser, useUser } from '../kit/user.ts'
import './gate.css'
import { useLogout } from '../kit/use-logout.ts'

/** Where every page leads while the basic service is in arrears. */
export default function OverduePage() {
  const user = useUser()
  const navigate = useNavigate()
  const logout = useLogout()
  const { message } = App.useApp()
  const [checking, setChecking] = useState(false)
  const arrears = user?.basicServiceStatus === basicServiceStatus.code.arrears

  async function check() {
    setChecking(true)
    try {
      const now = await reloadUser()
      if (now.basicServiceStatus === basicServiceStatus.code.arrears) void message.warning('基础服务仍处于欠费状态')
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
      title={arrears ? '您的基础服务已欠费，部分功能已停用，请尽快缴费' : '您的基础服务状态正常'}
      actions={
        <>
          <Button type="primary" loading={checking} onClick={() => void check()}>
            重新检查
          </Button>
          <Button onClick={logout}>退出登录</Button>
        </>
      }
    >
      {user && (
        <dl className="overdue-facts">
          <dt>{arrears ? '欠费机构' : '机构'}</dt>
          <dd>{user.organiseName}</dd>
          <dt>基础服务</dt>
          <dd>
            <StatusTag of={basicServiceStatus} value={user.basicServiceStatus} />
          </dd>
        </dl>
      )}
    </ResultPane>
  )
}
