import { deskShift, type DeskShift, deskShiftList, shiftStatus } from '@wattdeck/contract/operating/desk-shift.ts'
import type { ColumnChanges } from '../../../kit/crud/field-columns.tsx'
import { MainButton } from '../../../kit/crud/MainButton.tsx'
import { useFieldList } from '../../../kit/crud/use-field-list.ts'
import * as cells from '../../../kit/display/cells.tsx'
import { useOpen } from '../../../kit/form/use-return-focus.ts'
import { ListPage } from '../../../kit/list/ListPage.tsx'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import { useDayPresets } from '../../../kit/list/views/presets.ts'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'

const CloseDialog = lazyPart(async () => (await import('./desk-shift.close-dialog.tsx')).CloseShiftDialog)
const ReceiveDialog = lazyPart(async () => (await import('./desk-shift.receive-dialog.tsx')).ReceiveCashDialog)
const ShiftDrawer = lazyPart(async () => (await import('./desk-shift.drawer.tsx')).ShiftDrawer)

const columns: ColumnChanges<DeskShift> = {
  short: { render: ({ short }) => (short === null || short === '0.00' ? cells.money(short) : cells.flow(short)) },
}

/** Why the cash of a shift cannot be received now; undefined if it can. */
function receiveProblem({ own, status }: DeskShift): string | undefined {
  if (status === shiftStatus.code.open) return '收款人尚未交班'
  if (status === shiftStatus.code.handedOver) return '现金已确认交接'
  return own ? '自己的现金须由他人确认' : undefined
}

export default function DeskShiftPage() {
  const list = useFieldList(deskShiftList, { listKey: 'desk-shift', liveKey: 'deskShift', columns })
  const [closing, setClosing, endClosing] = useOpen<true>()
  const [receiving, setReceiving, endReceiving] = useOpen<DeskShift>()
  const [shown, setShown, hide] = useOpen<DeskShift>()
  const rowActions = (row: DeskShift): RowAction[] => [
    { label: '充值明细', onClick: () => setShown(row) },
    { label: '确认交接', route: deskShift.confirm, disabled: receiveProblem(row), onClick: () => setReceiving(row) },
  ]
  return (
    <>
      <ListPage
        {...list}
        note="收款人的第一笔现金充值开始一班。交班时清点现金，由他人确认收到；交班后内容不再变化，这些充值不能撤销"
        presets={useDayPresets()}
        actions={<MainButton route={deskShift.close} label="交班" icon={null} onClick={() => setClosing(true)} />}
        nameOf={(row) => row.serialNo}
        rowActions={rowActions}
      />
      {closing && <CloseDialog onClose={endClosing} />}
      {receiving && <ReceiveDialog row={receiving} onClose={endReceiving} />}
      {shown && <ShiftDrawer row={shown} onClose={hide} />}
    </>
  )
}
