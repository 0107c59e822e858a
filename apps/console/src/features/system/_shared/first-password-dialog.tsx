import { passwordPolicy } from '@wattdeck/domain/password.ts'
import { Alert, Button, Descriptions, Modal } from 'antd'
import { CopyId } from '../../../kit/display/CopyId.tsx'
import './system.css'
import { dialogWidth } from '../../../kit/form/dialog-width.ts'

/** A new password for another user, with the account and the reason. */
export type FirstPassword = {
  /** The kind of account: 员工, 机构, 运营商. */
  what: string
  name: string
  loginName: string
  initialPassword: string
  isNew: boolean
}
type Props = { secret: FirstPassword; onClose: () => void }

/** The server stores only a hash, so the password can be read only here. */
export function FirstPasswordDialog({ secret, onClose }: Props) {
  const { what, name, loginName, initialPassword, isNew } = secret
  return (
    <Modal
      open
      title={isNew ? `${what}「${name}」已新增` : `${what}「${name}」的密码已重置`}
      width={dialogWidth.s}
      mask={{ closable: false }}
      keyboard={false}
      closable={false}
      footer={
        <Button type="primary" onClick={onClose}>
          我已保存，关闭
        </Button>
      }
    >
      <Alert
        className="dialog-alert"
        type="warning"
        showIcon
        title={`初始密码仅显示这一次，${passwordPolicy.firstPasswordHours}小时内有效，且只能登录一次，登录后须立即设置新密码。`}
      />
      <Descriptions
        className="dialog-facts"
        column={1}
        bordered
        size="small"
        items={[
          { key: 'loginName', label: '登录账号', children: <CopyId value={loginName} what="登录账号" /> },
          {
            key: 'password',
            label: '初始密码',
            children: (
              <code className="secret">
                <CopyId value={initialPassword} what="初始密码" />
              </code>
            ),
          },
        ]}
      />
    </Modal>
  )
}
