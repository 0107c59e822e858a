import { SyncOutlined } from '@ant-design/icons'
import { breakKind, breakStatus, reconPair, runStatus } from '@wattdeck/contract/accounting/recon-codes.ts'
import { breakColumns, reconciliation } from '@wattdeck/contract/accounting/reconciliation.ts'
import { Button, Tabs } from 'antd'
import { useState } from 'react'
import { MainButton } from '../../../kit/crud/MainButton.tsx'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { useListState, useLocalListState } from '../../../kit/list/list-state.ts'
import { ListPanel } from '../../../kit/list/ListPanel.tsx'
import { PageFrame } from '../../../kit/display/PageFrame.tsx'
import { useShownId } from '../../../kit/routing/use-shown-id.ts'
import { useUser } from '../../../kit/api/user.ts'
import { breakTableColumns, runTableColumns } from './reconciliation.columns.tsx'
import { useOpen, useReturnFocus } from '../../../kit/form/use-return-focus.ts'

const BreakDrawer = lazyPart(async () => (await import('./reconciliation.drawer.tsx')).BreakDrawer)
const RunDialog = lazyPart(async () => (await import('./reconciliation.dialogs.tsx')).RunDialog)
const AssignDialog = lazyPart(async () => (await import('./reconciliation.dialogs.tsx')).AssignDialog)

type Open = { what: 'run'; day?: string } | { what: 'assign'; id: string; name: string }
const closed = '该差异已关闭'

export default function ReconciliationPage() {
  const user = useUser()
  const [open, setOpen, close] = useOpen<Open>()
  const [tab, setTab] = useState('breaks')
  const [shown, show] = useShownId('difference')
  const state = useListState(reconciliation.list)
  const runs = useLocalListState(reconciliation.runs)
  useReturnFocus(shown !== undefined)

  function showDay(day: string) {
    state.set({ from: day, to: day })
    setTab('breaks')
  }
  const breakList = (
    <ListPanel
      listKey="reconciliation"
      liveKey="reconciliation"
      route={reconciliation.list}
      state={state}
      columns={breakTableColumns(user)}
      nameOf={(row) => row.breakNo}
      filters={[
        { kind: 'text', name: 'subject', label: '差异编号/单号' },
        { kind: 'select', name: 'kind', label: '差异类型', options: breakKind.options },
        { kind: 'select', name: 'status', label: '状态', options: breakStatus.options },
        { kind: 'select', name: 'pair', label: '核对项', options: reconPair.options },
        { kind: 'owner', levels: ['organise'] },
        { kind: 'dates', from: 'from', to: 'to', label: '账期' },
      ]}
      toolbar={
        user && (
          <Button
            size="small"
            type={state.query.ownerId === user.id ? 'primary' : 'default'}
            onClick={() => state.set({ ownerId: state.query.ownerId === user.id ? undefined : user.id })}
          >
            只看我负责的
          </Button>
        )
      }
      exporting={{ route: reconciliation.exportList, keys: Object.keys(breakColumns) }}
      rowActions={(row) => [
        { label: '处理', onClick: () => show(row.id) },
        {
          label: '指派',
          route: reconciliation.assign,
          disabled: row.status === breakStatus.code.open ? undefined : closed,
          onClick: () => setOpen({ what: 'assign', id: row.id, name: row.breakNo }),
        },
      ]}
    />
  )
  const runList = (
    <ListPanel
      listKey="reconciliation-runs"
      liveKey="reconciliation"
      route={reconciliation.runs}
      state={runs}
      columns={runTableColumns(user)}
      nameOf={(row) => `${row.day} ${row.merchantName ?? '订单'}`}
      filters={[
        { kind: 'select', name: 'status', label: '结果', options: runStatus.options },
        { kind: 'owner', levels: ['organise'] },
        { kind: 'dates', from: 'from', to: 'to', label: '账期' },
      ]}
      rowActions={(row) => [
        { label: '查看差异', onClick: () => showDay(row.day) },
        { label: '重新核对', route: reconciliation.run, onClick: () => setOpen({ what: 'run', day: row.day }) },
      ]}
    />
  )
  return (
    <PageFrame
      title="对账"
      note="每日十点核对前一日的订单、渠道账单、设备账单与账务。有差异未处理时，该机构暂停结算"
      actions={
        <MainButton
          route={reconciliation.run}
          label="发起对账"
          icon={<SyncOutlined />}
          onClick={() => setOpen({ what: 'run' })}
        />
      }
    >
      <Tabs
        activeKey={tab}
        onChange={setTab}
        destroyOnHidden
        items={[
          { key: 'breaks', label: '差异', children: breakList },
          { key: 'runs', label: '核对记录', children: runList },
        ]}
      />
      {open?.what === 'run' && <RunDialog {...(open.day && { day: open.day })} onClose={close} />}
      {open?.what === 'assign' && <AssignDialog id={open.id} name={open.name} onClose={close} />}
      {shown !== undefined && <BreakDrawer id={shown} onClose={() => show(undefined)} />}
    </PageFrame>
  )
}
