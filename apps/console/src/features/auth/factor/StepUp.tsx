import { login } from '@wattdeck/contract/auth/login.ts'
import { Button, Modal } from 'antd'
import { useRef } from 'react'
import { call } from '../../../kit/api/api.ts'
import { FailureAlert } from '../../../kit/form/FailureAlert.tsx'
import { States } from '../../../kit/display/States.tsx'
import { useSubmit } from '../../../kit/form/use-submit.ts'
import { FactorProof } from './FactorProof.tsx'
import '../_shared/auth.css'
import { useFactors } from './use-factors.ts'
import { dialogWidth } from '../../../kit/form/dialog-width.ts'

type Props = { onProven: () => void; onCancel: () => void }

// Above all dialogs of the page, below the login overlay.
const zIndex = 2005

/** The step-up dialog: approvals and account changes require a recent proof of the second factor. */
export function StepUp({ onProven, onCancel }: Props) {
  const content = useRef<HTMLDivElement>(null)
  const query = useFactors()
  const submit = useSubmit(login.stepUp, { feedback: 'quiet', onDone: onProven })
  const sendAnswer = async (answer: string) => {
    await call(login.stepUpByPasskey, { body: { answer } })
    onProven()
  }
  return (
    <Modal
      open
      title="请进行二次验证"
      width={dialogWidth.s}
      zIndex={zIndex}
      footer={null}
      onCancel={onCancel}
      afterOpenChange={(open) => {
        if (open) content.current?.querySelector<HTMLElement>('input')?.focus()
      }}
    >
      <div ref={content} className="login-again">
        <p className="meta">该操作须由本人确认，验证后10分钟内有效。</p>
        <States query={query} rows={3}>
          {(factors) =>
            factors.totp || factors.passkey ? (
              <FactorProof
                factors={factors}
                okText="验证并继续"
                texts={submit.texts}
                pending={submit.pending}
                onCode={(code) => void submit.run({ body: { code } })}
                sendAnswer={sendAnswer}
              />
            ) : (
              <FailureAlert texts={['您还未绑定二次验证，请先在「个人中心-基本信息」中绑定']} />
            )
          }
        </States>
        <Button block type="text" onClick={onCancel}>
          取消
        </Button>
      </div>
    </Modal>
  )
}
