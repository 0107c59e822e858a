import { PlusOutlined } from '@ant-design/icons'
import { userType } from '@wattdeck/contract/common.ts'
import { repairFlow, repairList, repairTicket, type RepairTicket } from '@wattdeck/contract/product/repair-ticket.ts'
import { shownNames } from '@wattdeck/contract/kit/fields.ts'
import { Button, Segmented } from 'antd'
import { useEffect, useState } from 'react'
import { useSearch } from '../../../kit/routing/use-search.ts'
import { Can } from '../../../kit/api/Can.tsx'
import { useFieldList } from '../../../kit/crud/use-field-list.ts'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { useListState } from '../../../kit/list/list-state.ts'
import { ListPanel } from '../../../kit/list/ListPanel.tsx'
import { PageFrame } from '../../../kit/display/PageFrame.tsx'
import { useShownId } from '../../../kit/routing/use-shown-id.ts'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import { useReturnFocus } from '../../../kit/form/use-return-focus.ts'
import { useUser } from '../../../kit/api/user.ts'
import { picturesColumn, ticketColumns } from './repair-ticket.columns.tsx'
import type { TicketAction } from './repair-ticket.drawer.tsx'

const TicketDialog = lazyPart(async () => (await import('../../../kit/objects/TicketDialog.tsx')).TicketDialog)
const AssignDialog = lazyPart(async () => (await import('./repair-ticket.assign-dialog.tsx')).AssignDialog)
const CompleteDialog = lazyPart(async () => (await import('./repair-ticket.complete-dialog.tsx')).CompleteDialog)
const CloseTicketDialog = lazyPart(async () => (await import('./repair-ticket.complete-dialog.tsx')).CloseTicketDialog)
const TicketDrawer = lazyPart(async () => (await import('./repair-ticket.drawer.tsx')).TicketDrawer)

type Open = { what: 'add' } | { what: TicketAction; ticket: RepairTicket }
const finished = '工单已完成'

export default function RepairTicketPage() {
  const user = useUser()
  const state = useListState(repairTicket.list)
  const list = useFieldList(repairList, {
    listKey: 'repair-ticket',
    liveKey: 'repairTicket',
    personal: 'repairTicket',
    columns: ticketColumns,
  })
  const [search, setSearch] = useSearch()
  const [open, setOpen] = useState<Open>()
  const [shown, show] = useShownId('ticket')
  useReturnFocus(open !== undefined || shown !== undefined)
  const close = () => setOpen(undefined)
  const installerId = user?.userType === userType.code.installer ? user.id : undefined
  // Installers start with their own tickets, unless the URL has a filter.
  useEffect(() => {
    if (installerId !== undefined && search.size === 0) setSearch({ assigneeId: installerId }, { replace: true })
  }, [installerId, search, setSearch])

  function rowActions(ticket: RepairTicket): RowAction[] {
    const disabled = repairFlow.can('complete', ticket.status) ? undefined : finished
    const act = (label: string, what: TicketAction): RowAction => ({
      label,
      route: repairTicket[what],
      disabled,
      onClick: () => setOpen({ what, ticket }),
    })
    return [
      { label: '详情', onClick: () => show(ticket.id) },
      act('完成维修', 'complete'),
      act(ticket.assigneeId === null ? '派单' : '转派', 'assign'),
      act('关闭', 'close'),
    ]
  }
  return (
    <PageFrame
      title={list.title}
      actions={
        <Can route={repairTicket.add}>
          <Button type="primary" icon={<PlusOutlined />} data-shortcut="n" onClick={() => setOpen({ what: 'add' })}>
            新增工单
          </Button>
        </Can>
      }
    >
      <ListPanel
        {...list}
        state={state}
        columns={list.columns.toSpliced(6, 0, picturesColumn)}
        nameOf={(row) => row.ticketNo}
        toolbar={
          <Segmented
            aria-label="工单范围"
            value={state.query.assigneeId === undefined ? 'all' : 'mine'}
            options={[
              { value: 'all', label: '全部' },
              { value: 'mine', label: '我的工单' },
            ]}
            onChange={(range) => (range === 'mine' ? state.set({ assigneeId: user?.id }) : state.show(''))}
          />
        }
        exporting={{ route: repairTicket.exportList, keys: [...shownNames(repairList.fields), 'pictures'] }}
        rowActions={rowActions}
      />
      {shown !== undefined && (
        <TicketDrawer id={shown} onAct={(what, ticket) => setOpen({ what, ticket })} onClose={() => show(undefined)} />
      )}
      {open?.what === 'add' && <TicketDialog refresh={[]} onClose={close} />}
      {open?.what === 'assign' && <AssignDialog ticket={open.ticket} onClose={close} />}
      {open?.what === 'complete' && <CompleteDialog ticket={open.ticket} onClose={close} />}
      {open?.what === 'close' && <CloseTicketDialog ticket={open.ticket} onClose={close} />}
    </PageFrame>
  )
}
