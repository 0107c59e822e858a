import { basicInfo } from '@wattdeck/contract/personal/basic-info.ts'
import { login, sessionStage } from '@wattdeck/contract/session/login.ts'
import type { DataOf } from '@wattdeck/contract/kit/route.ts'
import { Form, Input, QRCode } from 'antd'
import { useEffect, useEffectEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { CopyId } from '../kit/CopyId.tsx'
import { FormDialog } from '../kit/FormDialog.tsx'
import { loginPath } from '../kit/paths.ts'
import { refetchRoutes } from '../kit/queries.ts'
import { FailedPane, LateSkeleton } from '../kit/States.tsx'
import { dropToken, keepToken } from '../kit/token.ts'
import { useSubmit } from '../kit/use-submit.ts'

/** Scan, type the six digits, done. The answer is a new session; the one before has ended. */
export function EnrolDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const [offer, setOffer] = useState<DataOf<typeof login.startEnrolment>>()
  const [failure, setFailure] = useState<unknown>()
  const start = useSubmit(login.startEnrolment, {
    tell: 'silent',
    onDone: (made) => {
      setFailure(undefined)
      setOffer(made)
    },
    onFailed: setFailure,
  })
  const begin = useEffectEvent(() => void start.run({ body: {} }))
  useEffect(() => begin(), [])

  function enter(ticket: DataOf<typeof login.confirmEnrolment>) {
    if (ticket.stage !== sessionStage.code.full) {
      dropToken()
      void navigate(loginPath)
      return
    }
    keepToken(ticket.access_token)
    void refetchRoutes([basicInfo.read])
    // Draws the shell anew: its live stream still hangs on the session that has ended.
    void navigate('/redirect/personal/basicInfo', { replace: true })
  }

  return (
    <FormDialog title="绑定动态口令" route={login.confirmEnrolment} okText="绑定" onDone={enter} onClose={onClose}>
      {failure !== undefined && <FailedPane error={failure} onRetry={() => void start.run({ body: {} })} />}
      {!offer && failure === undefined && <LateSkeleton rows={5} />}
      {offer && (
        <div className="enrol-steps">
          <QRCode value={offer.uri} size={176} type="svg" color="black" bgColor="white" marginSize={2} />
          <div>
            <p>1. 用身份验证器（如 Microsoft Authenticator、FreeOTP）扫描二维码，或手动输入密钥：</p>
            <code>
              <CopyId value={offer.secret} what="密钥" />
            </code>
            <p>2. 输入身份验证器上显示的 6 位数字：</p>
            <Form.Item
              name="code"
              label="动态口令"
              rules={[{ required: true, pattern: /^\d{6}$/, message: '请输入6位动态口令' }]}
            >
              <Input inputMode="numeric" autoComplete="one-time-code" maxLength={6} />
            </Form.Item>
          </div>
        </div>
      )}
    </FormDialog>
  )
}
