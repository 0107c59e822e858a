import { enabledStatus } from '@wattdeck/contract/common.ts'
import { type MemberDetail, memberInfo, walletAccount } from '@wattdeck/contract/member/member-info.ts'
import { memberChannel } from '@wattdeck/contract/member/member-row.ts'
import { Descriptions, Drawer, Segmented, Tabs } from 'antd'
import type { ReactNode } from 'react'
import * as cells from '../../../kit/display/cells.tsx'
import { CopyId } from '../../../kit/display/CopyId.tsx'
import { useLocalListState } from '../../../kit/list/list-state.ts'
import { ListPanel } from '../../../kit/list/ListPanel.tsx'
import { MaskedText } from '../../../kit/display/MaskedText.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import { OwnerPath } from '../../../kit/objects/OwnerPath.tsx'
import { States } from '../../../kit/display/States.tsx'
import { useNarrow } from '../../../kit/display/use-narrow.ts'
import '../../../kit/display/drawer-list.css'
import { orderColumns } from './member-info.orders.tsx'
import { eventColumns } from './member-info.events.tsx'
import '../_shared/member.css'

type Props = { memberId: string; onClose: () => void }

/** One member: who it is, what they have, what they charged and where their money went. */
export function MemberDrawer({ memberId, onClose }: Props) {
  const narrow = useNarrow()
  const member = useDetail(memberInfo.read, { params: { memberId } })
  return (
    <Drawer
      open
      className="drawer-list"
      title={member.data ? `会员：${member.data.nickname}` : '会员详情'}
      size={narrow ? '100%' : 1100}
      onClose={onClose}
    >
      <States query={member} rows={8}>
        {(data) => (
          <Tabs
            items={[
              { key: 'profile', label: '基本信息', children: <Profile member={data} /> },
              { key: 'orders', label: '充电订单', children: <Orders memberId={memberId} /> },
              { key: 'statement', label: '账户流水', children: <Statement memberId={memberId} /> },
            ]}
          />
        )}
      </States>
    </Drawer>
  )
}

const fact = (key: string, label: string, children: ReactNode) => ({ key, label, children })

function Profile({ member }: { member: MemberDetail }) {
  return (
    <>
      <dl className="wallet-tiles">
        {member.wallets.map(({ kind, balance }) => (
          <div key={kind} className="wallet-tile">
            <dt>{walletAccount.show(kind).label}</dt>
            <dd>¥{cells.money(balance)}</dd>
          </div>
        ))}
      </dl>
      <Descriptions
        bordered
        size="small"
        column={{ xs: 1, sm: 2 }}
        items={[
          fact('id', '会员ID', <CopyId value={member.memberId} what="会员ID" />),
          fact('status', '状态', cells.status(enabledStatus, member.status)),
          fact(
            'phone',
            '手机号',
            <MaskedText value={member.phone} kind="member" id={member.memberId} field="phone" what="手机号" />,
          ),
          fact('recharged', '累计充值', <>¥{cells.money(member.recharged)}</>),
          fact('consumed', '累计消费', <>¥{cells.money(member.consumed)}</>),
          fact('registeredAt', '注册时间', cells.time(member.registeredAt)),
          fact('lastConsumedAt', '最近消费', cells.time(member.lastConsumedAt)),
          { ...fact('place', '归属', <OwnerPath row={member} />), span: 'filled' },
          ...member.apps.map(({ channel, name, linkedAt }) => ({
            ...fact(`${channel}${name}`, memberChannel.show(channel).label, `${name}，${linkedAt} 起`),
            span: 'filled' as const,
          })),
        ]}
      />
    </>
  )
}

function Orders({ memberId }: { memberId: string }) {
  const state = useLocalListState(memberInfo.orders)
  return (
    <ListPanel
      listKey="member-order"
      route={memberInfo.orders}
      params={{ memberId }}
      state={state}
      columns={orderColumns}
      nameOf={(row) => row.id}
    />
  )
}

function Statement({ memberId }: { memberId: string }) {
  const state = useLocalListState(memberInfo.statement)
  return (
    <ListPanel
      listKey="member-statement"
      route={memberInfo.statement}
      params={{ memberId }}
      state={state}
      columns={eventColumns}
      nameOf={(row) => `${row.at} ${row.ref}`}
      filters={[{ kind: 'dates', from: 'from', to: 'to', label: '时间' }]}
      toolbar={
        <Segmented
          aria-label="账户"
          value={state.query.kind}
          options={walletAccount.options}
          onChange={(kind) => state.set({ kind })}
        />
      }
    />
  )
}
