import { accountDetail } from '@wattdeck/contract/dashboard/account-detail.ts'
import { Drawer } from 'antd'
import { useEffect, useRef } from 'react'
import { useLocalListState } from '../../../kit/list/list-state.ts'
import { ListPanel } from '../../../kit/list/ListPanel.tsx'
import { statementColumns } from '../../../kit/display/statement-columns.tsx'
import { useNarrow } from '../../../kit/display/use-narrow.ts'
import '../../../kit/display/drawer-list.css'

type Props = { id: string; title: string; days: { from?: string; to?: string }; onClose: () => void }

/** The entries of one account, initially for the period of the list filter. */
export function EntriesDrawer({ id, title, days, onClose }: Props) {
  const narrow = useNarrow()
  const state = useLocalListState(accountDetail.entries)
  const begun = useRef(false)
  const { set } = state
  useEffect(() => {
    if (!begun.current && (days.from !== undefined || days.to !== undefined)) set(days)
    begun.current = true
  }, [days, set])
  return (
    <Drawer open className="drawer-list" title={`账户明细：${title}`} size={narrow ? '100%' : 1100} onClose={onClose}>
      <ListPanel
        listKey="account-entry"
        route={accountDetail.entries}
        params={{ id }}
        state={state}
        columns={statementColumns}
        nameOf={(row) => `${row.at} ${row.ref}`}
        filters={[{ kind: 'dates', from: 'from', to: 'to', label: '时间' }]}
      />
    </Drawer>
  )
}
