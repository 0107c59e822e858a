import { sessionStage } from '@wattdeck/contract/auth/login.ts'
import type { UserInfo } from '@wattdeck/contract/auth/session.ts'
import { Button, Modal } from 'antd'
import { useRef, useState } from 'react'
import { submitTexts } from '../../../kit/api/error-handling.ts'
import { FailureAlert } from '../../../kit/form/FailureAlert.tsx'
import { dropPartialToken, setPartialToken } from '../../../kit/api/token.ts'
import '../_shared/auth.css'
import { type Owed, owedSteps } from '../factor/owed-steps.ts'
import { PasswordLogin } from '../login/PasswordLogin.tsx'
import { renewSession } from './renew-session.ts'
import type { Ticket } from '../fast-login/ticket.ts'
import { dialogWidth } from '../../../kit/form/dialog-width.ts'

type Props = {
  user: Pick<UserInfo, 'id' | 'loginName'>
  onRenewed: () => void
  /** The user cancelled, or another account logged in. */
  onLeave: () => void
}

// Above all dialogs of the page, below messages.
const zIndex = 2008
const lead = '登录后将继续刚才的操作，页面上未保存的内容不会丢失。'

/** The login overlay for a session that ended while a form held unsaved input. Only the same user can log in. */
export function LoginAgain({ user, onRenewed, onLeave }: Props) {
  const content = useRef<HTMLDivElement>(null)
  const [owed, setOwed] = useState<Owed>()
  const [texts, setTexts] = useState<readonly string[]>([])
  const step = owed && owedSteps[owed]

  async function enter({ access_token: token, stage }: Ticket) {
    setTexts([])
    if (stage !== sessionStage.code.full) {
      setPartialToken(token)
      setOwed(stage)
      return
    }
    try {
      if (await renewSession(token, user.id)) onRenewed()
      else onLeave()
    } catch (error) {
      restart()
      setTexts(submitTexts(error))
    }
  }
  function restart() {
    dropPartialToken()
    setOwed(undefined)
  }

  return (
    <Modal
      open
      title={step?.title ?? '登录已过期，请重新登录'}
      width={dialogWidth.s}
      zIndex={zIndex}
      footer={null}
      // Protects unsaved work: neither Escape nor a click on the mask closes it.
      closable={false}
      keyboard={false}
      mask={{ closable: false }}
      afterOpenChange={(open) => {
        if (open) content.current?.querySelector<HTMLElement>('input[type=password]')?.focus()
      }}
    >
      <div ref={content} className="login-again">
        <p className="meta">{step?.lead ?? lead}</p>
        <FailureAlert texts={texts} />
        {step ? (
          <step.Step onTicket={(ticket) => void enter(ticket)} />
        ) : (
          <PasswordLogin only={user.loginName} onTicket={(ticket) => void enter(ticket)} />
        )}
        {step && (
          <Button block type="link" onClick={restart}>
            返回登录
          </Button>
        )}
        <Button block danger type="text" onClick={onLeave}>
          放弃修改，前往登录页面
        </Button>
      </div>
    </Modal>
  )
}
