import { KeyOutlined } from '@ant-design/icons'
import type { DataOf } from '@wattdeck/contract/kit/route.ts'
import { login } from '@wattdeck/contract/auth/login.ts'
import { Button, Divider } from 'antd'
import { call } from '../../../kit/api/api.ts'
import { FailureAlert } from '../../../kit/form/FailureAlert.tsx'
import { canUsePasskeys, provePasskey } from '../../../kit/api/passkey.ts'
import { usePasskey } from '../../../kit/api/use-passkey.ts'
import { OneTimeCode } from './OneTimeCode.tsx'

type Props = {
  factors: DataOf<typeof login.factors>
  okText: string
  /** Validation texts of the code. */
  texts: readonly string[]
  pending: boolean
  onCode: (code: string) => void
  /** Sends the response of an authenticator; rejects when the server refuses it. */
  sendAnswer: (answer: string) => Promise<void>
}

/** A passkey or a one-time code, depending on the factors of the user. */
export function FactorProof({ factors, okText, texts, pending, onCode, sendAnswer }: Props) {
  const passkey = usePasskey()
  const offersPasskey = factors.passkey && canUsePasskeys()
  const prove = async () => {
    const { data } = await call(login.passkeyChallenge)
    await sendAnswer(await provePasskey(data.options))
  }
  return (
    <>
      {offersPasskey && (
        <>
          <FailureAlert texts={passkey.texts} />
          <Button
            block
            type={factors.totp ? 'default' : 'primary'}
            size="large"
            icon={<KeyOutlined />}
            loading={passkey.pending}
            onClick={() => void passkey.run(prove)}
          >
            使用通行密钥验证
          </Button>
        </>
      )}
      {offersPasskey && factors.totp && <Divider plain>或</Divider>}
      {factors.totp && <OneTimeCode okText={okText} texts={texts} pending={pending} onCode={onCode} />}
      {!factors.totp && !offersPasskey && (
        <FailureAlert texts={['当前浏览器不支持通行密钥，请更换浏览器或使用恢复码']} />
      )}
    </>
  )
}
