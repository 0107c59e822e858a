import type { DataOf } from '@wattdeck/contract/kit/route.ts'
import { login } from '@wattdeck/contract/auth/login.ts'
import { Form, Input, type InputRef, Modal, QRCode } from 'antd'
import { useRef, useState } from 'react'
import { CopyId } from '../../../kit/display/CopyId.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { useSubmit } from '../../../kit/form/use-submit.ts'
import { useBound } from './use-bound.ts'
import { dialogWidth } from '../../../kit/form/dialog-width.ts'

type Offer = DataOf<typeof login.startEnrolment>
const title = '绑定动态口令'

/** The password, then the code of the authenticator. */
export function EnrolDialog({ onClose }: { onClose: () => void }) {
  const [offer, setOffer] = useState<Offer>()
  return offer ? <CodeStep offer={offer} onClose={onClose} /> : <PasswordStep onOffer={setOffer} onClose={onClose} />
}

function PasswordStep({ onOffer, onClose }: { onOffer: (offer: Offer) => void; onClose: () => void }) {
  const [form] = Form.useForm<{ password: string }>()
  const field = useRef<InputRef>(null)
  const start = useSubmit(login.startEnrolment, { feedback: 'silent', onDone: onOffer })
  return (
    <Modal
      open
      width={dialogWidth.s}
      title={title}
      okText="下一步"
      cancelText="取消"
      confirmLoading={start.pending}
      onOk={() => form.submit()}
      onCancel={onClose}
      afterOpenChange={(open) => {
        if (open) field.current?.focus()
      }}
    >
      <Form form={form} layout="vertical" onFinish={(body) => void start.run({ body })}>
        <Form.Item
          name="password"
          label="登录密码"
          extra="为保护账号安全，请先输入登录密码"
          rules={[{ required: true, message: '请输入登录密码' }]}
        >
          <Input.Password ref={field} autoComplete="current-password" maxLength={128} />
        </Form.Item>
      </Form>
    </Modal>
  )
}

/** The reply to the code is a new session; the previous one has ended. */
function CodeStep({ offer, onClose }: { offer: Offer; onClose: () => void }) {
  const take = useBound()
  return (
    <FormDialog title={title} route={login.confirmEnrolment} okText="绑定" onDone={take} onClose={onClose}>
      <div className="enrol-steps">
        <QRCode
          aria-label="动态口令二维码"
          value={offer.uri}
          size={176}
          type="svg"
          color="black"
          bgColor="white"
          marginSize={2}
        />
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
    </FormDialog>
  )
}
