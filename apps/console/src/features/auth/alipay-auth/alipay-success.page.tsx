import { CheckCircleFilled } from '@ant-design/icons'
import { alipayAuth, type AlipayProgress, alipayStep } from '@wattdeck/contract/auth/alipay-auth.ts'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useEffect, useEffectEvent, useState } from 'react'
import { call } from '../../../kit/api/api.ts'
import { errorText } from '../../../kit/api/error-handling.ts'
import { FailureAlert } from '../../../kit/form/FailureAlert.tsx'
import { useSubmit } from '../../../kit/form/use-submit.ts'
import { AlipayFacts } from './AlipayFacts.tsx'
import { AlipayWait } from './AlipayWait.tsx'
import { AuthFrame } from '../_shared/AuthFrame.tsx'
import { takeAuthCode } from './take-auth-code.ts'

const { open, waiting, calling, done, unknown } = alipayStep.code
const pollMs = 1000
const slowPollMs = 5000
const isUnderWay = (progress: AlipayProgress | undefined) => progress?.step === waiting || progress?.step === calling

/** The return page of Alipay: submits the code and waits for the result. */
export default function AlipaySuccessPage() {
  const [{ code, state = '' }] = useState(takeAuthCode)
  const [handedIn, setHandedIn] = useState(code === undefined)
  const submit = useSubmit(alipayAuth.submit, { feedback: 'quiet', onDone: () => setHandedIn(true) })
  const progress = useQuery({
    queryKey: [alipayAuth.progress.path, state],
    queryFn: async ({ signal }) => (await call(alipayAuth.progress, { body: { state }, signal })).data,
    enabled: handedIn && state !== '',
    refetchInterval: ({ state: { data } }) => (isUnderWay(data) ? (data?.late ? slowPollMs : pollMs) : false),
  })
  const retry = useSubmit(alipayAuth.retry, { feedback: 'quiet', refresh: [alipayAuth.progress] })
  const handIn = () => code !== undefined && state !== '' && void submit.run({ body: { code, state } })
  const begin = useEffectEvent(handIn)
  useEffect(() => void begin(), [])

  if (state === '') return <Stopped texts={['授权结果不完整，请重新打开授权链接']} />
  if (submit.texts.length > 0) return <Stopped texts={submit.texts} again="重试" onAgain={handIn} />
  if (progress.error)
    return <Stopped texts={[errorText(progress.error)]} again="重试" onAgain={() => void progress.refetch()} />
  const data = progress.data
  if (!data || (isUnderWay(data) && !data.late))
    return (
      <AuthFrame title="支付宝授权">
        <AlipayWait />
      </AuthFrame>
    )
  if (data.step === done) return <Done progress={data} />
  if (data.step === open)
    return <Stopped texts={['您尚未完成授权']} {...(data.address ? { address: data.address } : {})} />
  const mayAsk = data.step === unknown || data.late
  const why = mayAsk ? '未收到支付宝的确认结果，授权是否成功尚不确定' : (data.reason ?? '授权失败')
  return (
    <Stopped
      texts={[why, ...retry.texts]}
      {...(mayAsk ? { again: '重新确认', onAgain: () => void retry.run({ body: { state } }) } : {})}
      {...(data.address ? { address: data.address } : {})}
      pending={retry.pending}
    />
  )
}

function Done({ progress: { organiseName, authorisation } }: { progress: AlipayProgress }) {
  const [isCloseBlocked, setCloseBlocked] = useState(false)
  const finish = () => {
    // A browser closes only windows it opened by script; otherwise a text asks the user to close it.
    globalThis.close()
    setCloseBlocked(true)
  }
  return (
    <AuthFrame title="授权成功" lead="支付宝账号已与机构绑定">
      <CheckCircleFilled className="alipay-done" aria-hidden />
      <AlipayFacts organiseName={organiseName} authorisation={authorisation} />
      {isCloseBlocked ? (
        <output>授权已完成，您可以关闭此页面</output>
      ) : (
        <Button block type="primary" size="large" onClick={finish}>
          完成
        </Button>
      )}
    </AuthFrame>
  )
}

type StoppedProps = {
  texts: readonly string[]
  again?: string
  onAgain?: () => unknown
  /** A new link to Alipay. */
  address?: string
  pending?: boolean
}

function Stopped({ texts, again, onAgain, address, pending = false }: StoppedProps) {
  return (
    <AuthFrame title="支付宝授权">
      <FailureAlert texts={texts} />
      <div className="alipay-ways">
        {again && (
          <Button block type="primary" size="large" loading={pending} onClick={() => void onAgain?.()}>
            {again}
          </Button>
        )}
        {address && (
          <Button block size="large" type={again ? 'default' : 'primary'} href={address}>
            重新授权
          </Button>
        )}
      </div>
    </AuthFrame>
  )
}
