import { Tabs } from 'antd'
import { useState } from 'react'
import { canUsePasskeys } from '../../../kit/api/passkey.ts'
import { RecoveryCodes } from '../../../kit/display/RecoveryCodes.tsx'
import { States } from '../../../kit/display/States.tsx'
import { EnrolCode } from './EnrolCode.tsx'
import { EnrolPasskey } from './EnrolPasskey.tsx'
import type { Bound, StepProps } from './step-props.ts'
import { useFactors } from './use-factors.ts'

/** Binds the first factor, then shows the recovery codes before the login continues. */
export function EnrolStep({ onTicket }: StepProps) {
  const query = useFactors()
  const [bound, setBound] = useState<Bound>()
  const take = (ticket: Bound) => (ticket.recoveryCodes.length > 0 ? setBound(ticket) : onTicket(ticket))
  if (bound)
    return <RecoveryCodes codes={bound.recoveryCodes} okText="我已保存，继续登录" onDone={() => onTicket(bound)} />
  return (
    <States query={query} rows={5}>
      {({ passkeyOffered }) =>
        passkeyOffered && canUsePasskeys() ? (
          <Tabs
            destroyOnHidden
            items={[
              { key: 'totp', label: '动态口令', children: <EnrolCode onBound={take} /> },
              { key: 'passkey', label: '通行密钥', children: <EnrolPasskey onBound={take} /> },
            ]}
          />
        ) : (
          <EnrolCode onBound={take} />
        )
      }
    </States>
  )
}
