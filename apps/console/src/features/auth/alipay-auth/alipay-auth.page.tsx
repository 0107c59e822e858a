import { alipayAuth, alipayStep } from '@wattdeck/contract/auth/alipay-auth.ts'
import type { DataOf } from '@wattdeck/contract/kit/route.ts'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useSearch } from '../../../kit/routing/use-search.ts'
import { call } from '../../../kit/api/api.ts'
import * as cells from '../../../kit/display/cells.tsx'
import { errorText } from '../../../kit/api/error-handling.ts'
import { FailureAlert } from '../../../kit/form/FailureAlert.tsx'
import { QrPicture } from '../../../kit/media/QrPicture.tsx'
import { LateSkeleton } from '../../../kit/display/States.tsx'
import { AlipayFacts } from './AlipayFacts.tsx'
import { AlipayWait } from './AlipayWait.tsx'
import { AuthFrame } from '../_shared/AuthFrame.tsx'

type Invitation = DataOf<typeof alipayAuth.open>
const { open, waiting, calling, done } = alipayStep.code
const pollMs = 4000

/** The page of an invitation. It stays open while a phone authorises, and shows the result. */
export default function AlipayAuthPage() {
  const [search] = useSearch()
  const invite = search.get('invite') ?? ''
  const query = useQuery({
    queryKey: [alipayAuth.open.path, invite],
    queryFn: async ({ signal }) => (await call(alipayAuth.open, { body: { invite }, signal })).data,
    enabled: invite !== '',
    refetchInterval: ({ state }) => (state.data?.step === done || state.error ? false : pollMs),
  })
  if (invite === '') return <DeadEnd text="授权链接不完整，请重新打开收到的链接" />
  if (query.error) return <DeadEnd text={errorText(query.error)} onRetry={() => void query.refetch()} />
  if (!query.data)
    return (
      <AuthFrame title="支付宝授权">
        <LateSkeleton rows={6} />
      </AuthFrame>
    )
  return <InvitationCard invitation={query.data} />
}

function InvitationCard({ invitation }: { invitation: Invitation }) {
  const { step, organiseName, address, expiresAt, authorisation, reason } = invitation
  if (step === done)
    return (
      <AuthFrame title="授权已完成" lead="该邀请已使用，无需重复授权">
        <AlipayFacts organiseName={organiseName} authorisation={authorisation} />
      </AuthFrame>
    )
  if (step === waiting || step === calling)
    return (
      <AuthFrame title="支付宝授权">
        <AlipayWait />
      </AuthFrame>
    )
  const again = step !== open
  return (
    <AuthFrame title="支付宝授权" lead={`「${organiseName}」邀请您授权支付宝账号`}>
      <FailureAlert texts={again ? [reason ?? '未收到支付宝的确认结果，请重新授权'] : []} />
      <ul className="alipay-scope">
        <li>用于确认您的支付宝账号与该机构的对应关系</li>
        <li>仅获取账号标识和昵称，加密保存，页面只显示脱敏结果</li>
        <li>不会发起扣款，也不会获取您的密码和余额</li>
      </ul>
      {address === null ? (
        <FailureAlert texts={['尝试次数过多，请联系邀请人重新生成链接']} />
      ) : (
        <>
          <Button block type="primary" size="large" href={address}>
            {again ? '重新授权' : '去授权'}
          </Button>
          <div className="alipay-code">
            <QrPicture value={address} label="支付宝授权二维码" size={200} />
            <p className="meta">或使用支付宝扫一扫授权</p>
          </div>
        </>
      )}
      <p className="meta alipay-until">邀请有效期至 {cells.time(expiresAt)}</p>
    </AuthFrame>
  )
}

function DeadEnd({ text, onRetry }: { text: string; onRetry?: () => void }) {
  return (
    <AuthFrame title="支付宝授权">
      <FailureAlert texts={[text]} />
      {onRetry && (
        <Button block size="large" onClick={onRetry}>
          重试
        </Button>
      )}
    </AuthFrame>
  )
}
