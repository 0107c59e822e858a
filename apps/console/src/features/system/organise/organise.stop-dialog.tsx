import { enabledStatus } from '@wattdeck/contract/common.ts'
import { organise, type Organise } from '@wattdeck/contract/system/organise.ts'
import { Alert, Form, Input, Modal } from 'antd'
import { useState } from 'react'
import { FailureAlert } from '../../../kit/form/FailureAlert.tsx'
import { useSubmit } from '../../../kit/form/use-submit.ts'
import '../_shared/system.css'
import { dialogWidth } from '../../../kit/form/dialog-width.ts'

type Props = { of: Organise; onClose: () => void }

/** Disabling locks out a whole customer, so the user must type its name. */
export function OrganiseStopDialog({ of, onClose }: Props) {
  const [typed, setTyped] = useState('')
  const submit = useSubmit(organise.toggle, { refresh: [organise.list], feedback: 'inline', onDone: onClose })
  const matches = typed.trim() === of.name
  const stop = () => void submit.run({ body: { id: of.id, status: enabledStatus.code.disabled } })
  return (
    <Modal
      open
      title={`停用机构：${of.name}`}
      width={dialogWidth.s}
      okText="停用"
      cancelText="取消"
      okButtonProps={{ danger: true, disabled: !matches }}
      confirmLoading={submit.pending}
      mask={{ closable: false }}
      onOk={stop}
      onCancel={onClose}
    >
      <Alert
        className="dialog-alert"
        type="warning"
        showIcon
        title="停用后，该机构的所有人员立即退出登录，且不能再登录"
        description="机构、代理商、站点和数据都会保留，启用后恢复使用。"
      />
      <FailureAlert texts={submit.texts} />
      <Form layout="vertical" className="dialog-facts" onFinish={() => matches && stop()}>
        <Form.Item label={`请输入机构名称「${of.name}」以确认`} htmlFor="stop-name">
          <Input id="stop-name" autoComplete="off" value={typed} onChange={(event) => setTyped(event.target.value)} />
        </Form.Item>
      </Form>
    </Modal>
  )
}
