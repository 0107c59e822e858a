import type { Staff } from '@wattdeck/contract/system/staff.ts'
import { Alert, Button, Descriptions, Modal } from 'antd'
import { CopyId } from '../kit/CopyId.tsx'
import './system.css'

export type Secret = { of: Pick<Staff, 'name' | 'loginName'>; initialPassword: string; isNew: boolean }
type Props = Secret & { onClose: () => void }

/** The server keeps only a hash: this dialog is the one place where the password can be read. */
export function StaffPasswordDialog({ of, initialPassword, isNew, onClose }: Props) {
  return (
    <Modal
      open
      title={isNew ? `员工「${of.name}」已新增` : `员工「${of.name}」的密码已重置`}
      width={520}
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
        title="初始密码仅显示这一次，关闭后无法再次查看。员工首次登录须修改密码。"
      />
      <Descriptions
        className="dialog-facts"
        column={1}
        bordered
        size="small"
        items={[
          { key: 'loginName', label: '登录账号', children: <CopyId value={of.loginName} what="登录账号" /> },
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
