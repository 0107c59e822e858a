import { memberInfo, walletAccount } from '@wattdeck/contract/member/member-info.ts'
import { Segmented } from 'antd'
import { useLocalListState } from '../../../kit/list/list-state.ts'
import { ListPanel } from '../../../kit/list/ListPanel.tsx'
import { eventColumns } from './member-info.events.tsx'
import '../_shared/member.css'

/** Business events of one account of the member. */
export function MemberStatement({ memberId }: { memberId: string }) {
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
