import { type Credential, credentialKind, deviceAuth, maxIssued } from '@wattdeck/contract/product/device-auth.ts'
import { Can } from '../../../kit/api/Can.tsx'
import type { Chosen } from '../../../kit/list/chosen.ts'
import { ReasonButton } from '../../../kit/form/ReasonButton.tsx'

type Props = {
  chosen: Chosen<Credential>
  cannotSign: string | undefined
  onRotate: (deviceNos: string) => void
  onRevoke: () => void
}

export function CredentialBatch({ chosen, cannotSign, onRotate, onRevoke }: Props) {
  const numbers = [...new Set(chosen.rows.map((row) => row.deviceNo))]
  const other = chosen.rows.some((row) => row.kind !== credentialKind.code.cert) ? '所选凭证中有口令' : undefined
  const many = numbers.length > maxIssued ? `一次最多${maxIssued}台设备` : undefined
  const look = { className: 'batch-button', size: 'small' } as const
  return (
    <>
      <Can route={deviceAuth.issueKeys}>
        <ReasonButton {...look} reason={cannotSign ?? other ?? many} onClick={() => onRotate(numbers.join('\n'))}>
          批量轮换
        </ReasonButton>
      </Can>
      <Can route={deviceAuth.revoke}>
        <ReasonButton {...look} danger onClick={onRevoke}>
          批量吊销
        </ReasonButton>
      </Can>
    </>
  )
}
