import { enabledStatus } from '@wattdeck/contract/common.ts'
import { balanceAdjustment } from '@wattdeck/contract/member/balance-adjustment.ts'
import { blacklist } from '@wattdeck/contract/member/blacklist.ts'
import { type MemberDetail, memberInfo, walletAccount } from '@wattdeck/contract/member/member-info.ts'
import { memberChannel } from '@wattdeck/contract/member/member-row.ts'
import { miniUser } from '@wattdeck/contract/member/mini-user.ts'
import { consumeOrder } from '@wattdeck/contract/order/consume-order.ts'
import { rechargeRecord } from '@wattdeck/contract/order/recharge-record.ts'
import { rechargeRefund } from '@wattdeck/contract/order/recharge-refund.ts'
import { refundOrder } from '@wattdeck/contract/order/refund-order.ts'
import { Button, Descriptions, Tabs } from 'antd'
import { useEffect } from 'react'
import { useSearch } from '../../../kit/routing/use-search.ts'
import { Can } from '../../../kit/api/Can.tsx'
import { refetchRoutes, useDetail } from '../../../kit/api/queries.ts'
import { grantedKeys, mayCall } from '../../../kit/api/rights.ts'
import { useUser } from '../../../kit/api/user.ts'
import * as cells from '../../../kit/display/cells.tsx'
import { CopyId } from '../../../kit/display/CopyId.tsx'
import { FigureStrip } from '../../../kit/display/FigureStrip.tsx'
import { MaskedText } from '../../../kit/display/MaskedText.tsx'
import { PageFrame } from '../../../kit/display/PageFrame.tsx'
import { EmptyPane, LateSkeleton, States } from '../../../kit/display/States.tsx'
import { StatusTag } from '../../../kit/display/StatusTag.tsx'
import { useNarrow } from '../../../kit/display/use-narrow.ts'
import { followLists } from '../../../kit/live/follow-lists.ts'
import { OwnerPath } from '../../../kit/objects/OwnerPath.tsx'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { useTabTitle } from '../../../kit/routing/tab-titles.ts'
import { ReasonButton } from '../../../kit/form/ReasonButton.tsx'
import { BlockedTag } from '../_shared/blocked-tag.tsx'
import { blockProblem, useMemberDialogs } from '../_shared/use-member-dialogs.tsx'
import { useMemberToggle } from '../_shared/use-member-toggle.ts'
import { memberFigures } from './member-figures.ts'
// Not lazy: a page without a list would split the shared list chunks further, for every page.
import { MemberStatement } from './member-info.statement.tsx'
import './member-info.css'

type Part = { memberId: string }
const laterTab = (load: () => Promise<React.ComponentType<Part>>) => lazyPart(load, 'needed', <LateSkeleton rows={8} />)
const MemberOrders = laterTab(async () => (await import('./member-info.lists.tsx')).MemberOrders)
const MemberRecharges = laterTab(async () => (await import('./member-info.lists.tsx')).MemberRecharges)
const MemberRefunds = laterTab(async () => (await import('./member-info.lists.tsx')).MemberRefunds)

/** The page of one member; the id is in the address, so that a link opens the same member. */
export default function MemberInfoPage() {
  const [search, setSearch] = useSearch()
  const id = search.get('id') ?? ''
  if (!/^[1-9]\d{0,17}$/.test(id))
    return (
      <PageFrame title="会员详情">
        <section className="panel">
          <EmptyPane filtered={false} text="请在会员列表中选择要查看的会员" />
        </section>
      </PageFrame>
    )
  const onTab = (tab: string) => setSearch({ id, tab }, { replace: true })
  return <MemberFrame key={id} id={id} tab={search.get('tab')} onTab={onTab} />
}

/** Routes that a change of a list refetches. */
const followed = {
  routes: { order: [memberInfo.read], rechargeRecord: [memberInfo.read], member: [memberInfo.read] },
  polled: [memberInfo.read],
  leastMs: 5000,
  pollMs: 60_000,
}

function MemberFrame({ id, tab, onTab }: { id: string; tab: string | null; onTab: (tab: string) => void }) {
  const narrow = useNarrow()
  const user = useUser()
  const detail = useDetail(memberInfo.read, { params: { memberId: id } })
  useEffect(() => followLists(followed, (routes) => void refetchRoutes(routes)), [])
  useTabTitle(detail.data && `会员 ${detail.data.nickname}`)
  const tabs = useMemberTabs(detail.data)
  return (
    <PageFrame
      title={detail.data?.nickname ?? '会员详情'}
      note={detail.data && <MemberHead member={detail.data} />}
      actions={detail.data && <MemberActions member={detail.data} />}
    >
      <States query={detail} rows={10}>
        {(data) => (
          <>
            <FigureStrip label="会员概况" figures={memberFigures(data, grantedKeys(user?.menuTree ?? []))} />
            <Tabs
              tabBarGutter={narrow ? 16 : 32}
              activeKey={tabs.some(({ key }) => key === tab) ? (tab ?? '') : (tabs[0]?.key ?? '')}
              onChange={onTab}
              destroyOnHidden
              items={tabs}
            />
          </>
        )}
      </States>
    </PageFrame>
  )
}

/** One tab for each list that the user may open. */
function useMemberTabs(member: MemberDetail | undefined) {
  const user = useUser()
  if (member === undefined) return []
  const { memberId } = member
  return [
    { key: 'orders', label: '充电订单', route: consumeOrder.list, children: <MemberOrders memberId={memberId} /> },
    { key: 'statement', label: '账户流水', children: <MemberStatement memberId={memberId} /> },
    {
      key: 'recharges',
      label: '充值记录',
      route: rechargeRecord.list,
      children: <MemberRecharges memberId={memberId} />,
    },
    { key: 'refunds', label: '退款', route: refundOrder.list, children: <MemberRefunds memberId={memberId} /> },
    { key: 'profile', label: '基本信息', children: <Profile member={member} /> },
  ]
    .filter(({ route }) => route === undefined || mayCall(user, route.access))
    .map(({ key, label, children }) => ({ key, label, children }))
}

const MemberHead = ({ member }: { member: MemberDetail }) => (
  <span className="member-head">
    <StatusTag of={enabledStatus} value={member.status} />
    <BlockedTag scope={member.blocked} />
    <MaskedText value={member.phone} kind="member" id={member.memberId} field="phone" what="手机号" />
    <span>
      会员ID <CopyId value={member.memberId} what="会员ID" />
    </span>
    <OwnerPath row={member} />
  </span>
)

const refresh = [memberInfo.read]

function MemberActions({ member }: { member: MemberDetail }) {
  const { adjust, refund, block, dialogs } = useMemberDialogs([...refresh, memberInfo.statement])
  const toggle = useMemberToggle(refresh)(member)
  const [paid, gift] = [walletAccount.code.paid, walletAccount.code.gift].map(
    (code) => member.wallets.find(({ kind }) => kind === code)?.balance ?? '0.00',
  )
  return (
    <>
      <Can route={miniUser.toggle}>
        <Button onClick={toggle.onClick}>{toggle.label}</Button>
      </Can>
      <Can route={blacklist.add}>
        <ReasonButton reason={blockProblem(member)} onClick={() => block(member)}>
          加黑
        </ReasonButton>
      </Can>
      <Can route={rechargeRefund.add}>
        <Button onClick={() => refund(member)}>退款</Button>
      </Can>
      <Can route={balanceAdjustment.add}>
        <Button onClick={() => adjust({ ...member, paidBalance: paid ?? '', giftBalance: gift ?? '' })}>
          余额调整
        </Button>
      </Can>
      {dialogs}
    </>
  )
}

const fact = (key: string, label: string, children: React.ReactNode) => ({ key, label, children })

const Profile = ({ member }: { member: MemberDetail }) => (
  <section className="panel member-section">
    <Descriptions
      size="small"
      column={{ xs: 1, sm: 2 }}
      items={[
        fact('registeredAt', '注册时间', cells.time(member.registeredAt)),
        fact('lastConsumedAt', '最近消费', cells.time(member.lastConsumedAt)),
        ...member.wallets.map(({ kind, balance }) =>
          fact(`wallet${kind}`, walletAccount.show(kind).label, <>¥{cells.money(balance)}</>),
        ),
        ...member.apps.map(({ channel, name, linkedAt }) =>
          fact(`${channel}${name}`, memberChannel.show(channel).label, `${name}，${linkedAt} 起`),
        ),
      ]}
    />
  </section>
)
