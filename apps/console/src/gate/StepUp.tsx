import { login } from '@wattdeck/contract/session/login.ts'
import { Button, Modal } from 'antd'
import { useRef } from 'react'
import { useSubmit } from '../kit/use-submit.ts'
import './gate.css'
import { OneTimeCode } from './OneTimeCode.tsx'

type Props = { onProven: () => void; onCancel: () => void }

// Above every dialog and question of the page, below the login that opens over it.
const zIndex = 2005

/** The second factor once more, over the page: approvals and changes of accounts ask for it when it is not fresh. */
export function StepUp({ onProven, onCancel }: Props) {
  const content = useRef<HTMLDivElement>(null)
  const submit = useSubmit(login.stepUp, { tell: 'quiet', onDone: onProven })
  return (
    <Modal
      open
      title="请验证动态口令"
      width={420}
      zIndex={zIndex}
      footer={null}
      onCancel={onCancel}
      afterOpenChange={(open) => {
        if (open) content.current?.querySelector<HTMLElement>('input')?.focus()
      }}
    >
      <div ref={content} className="login-again">
        <p className="meta">该操作须由本人确认。请输入身份验证器中的6位动态口令，10分钟内有效。</p>
        <OneTimeCode
          okText="验证并继续"
          texts={submit.texts}
          pending={submit.pending}
          onCode={(code) => void submit.run({ body: { code } })}
        />
        <Button block type="text" onClick={onCancel}>
          取消
        </Button>
      </div>
    </Modal>
  )
}
