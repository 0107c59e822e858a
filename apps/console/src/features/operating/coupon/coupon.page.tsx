import { whitelistFunder } from '@wattdeck/contract/member/whitelist-codes.ts'
import { couponFlow, couponKind, couponStatus } from '@wattdeck/contract/operating/coupon-codes.ts'
import { type Coupon, coupon, couponList, couponText } from '@wattdeck/contract/operating/coupon.ts'
import { couponGrant } from '@wattdeck/contract/operating/coupon-grant.ts'
import { Button } from 'antd'
import { Can } from '../../../kit/api/Can.tsx'
import { MainButton } from '../../../kit/crud/MainButton.tsx'
import { useFieldList } from '../../../kit/crud/use-field-list.ts'
import { ConsequenceNote } from '../../../kit/form/Consequence.tsx'
import { useConfirmSheet } from '../../../kit/form/confirm-sheet.tsx'
import { TextField } from '../../../kit/form/fields/TextField.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { useOpen } from '../../../kit/form/use-return-focus.ts'
import { ListPage } from '../../../kit/list/ListPage.tsx'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import type { Given } from './coupon.give-dialog.tsx'

const AddCouponDialog = lazyPart(async () => (await import('./coupon.add-dialog.tsx')).AddCouponDialog)
const GiveDialog = lazyPart(async () => (await import('./coupon.give-dialog.tsx')).GiveDialog)
const RefusedDialog = lazyPart(async () => (await import('./coupon.give-dialog.tsx')).RefusedDialog)
const CouponDrawer = lazyPart(async () => (await import('./coupon.drawer.tsx')).CouponDrawer)

type Open =
  | { what: 'add'; of?: Coupon }
  | { what: 'turnDown' | 'give' | 'grants'; row: Coupon }
  | { what: 'refused'; given: Given }
const refresh = [coupon.list]

const factsOf = (row: Coupon) =>
  [
    ['面值', `${couponKind.show(row.kind).label}，${couponText(row)}`],
    ['总量', `${row.total} 张，每人 ${row.perMember} 张`],
    ['发放日期', `${row.startsOn} 至 ${row.endsOn}`],
    ['承担方', whitelistFunder.show(row.funder).label],
    ['申请人', row.createdBy],
  ] as const

export default function CouponPage() {
  const list = useFieldList(couponList, {
    listKey: 'coupon',
    liveKey: 'coupon',
    columns: { claimable: { render: (row) => (row.claimable ? '可自行领取' : '后台发放') } },
  })
  const [open, setOpen, close] = useOpen<Open>()
  const approve = useConfirmSheet(coupon.approve, { refresh })
  const stop = useConfirmSheet(coupon.stop, { refresh })
  const askStop = (ids: string[], facts: ReturnType<typeof factsOf> | [], done?: () => void) => {
    stop(
      {
        title: `停发 ${ids.length} 种优惠券？`,
        okText: '停发',
        danger: true,
        facts,
        effect: '不再发放和领取，已领取的仍可使用',
        undo: '不能恢复，可复制后重新申请',
      },
      { body: { ids } },
    )
    done?.()
  }

  function rowActions(row: Coupon): RowAction[] {
    const waits = couponFlow.can('approve', row.status)
    const settled = waits ? undefined : '该申请已处理'
    const own = row.own ? '不能审核本人的申请' : undefined
    const deciding: RowAction[] = [
      {
        label: '通过',
        route: coupon.approve,
        disabled: settled ?? own,
        onClick: () =>
          approve(
            {
              title: `通过「${row.name}」？`,
              okText: '通过',
              facts: factsOf(row),
              effect: '开始日期起可以发放和领取',
              second: `由${row.createdBy}申请，您为审核人`,
            },
            { body: { id: row.id } },
          ),
      },
      {
        label: '驳回',
        route: coupon.turnDown,
        disabled: settled ?? own,
        onClick: () => setOpen({ what: 'turnDown', row }),
      },
    ]
    const using: RowAction[] = [
      {
        label: '发放',
        route: couponGrant.give,
        disabled: row.status === couponStatus.code.giving ? undefined : '只有发放中的可以发放',
        onClick: () => setOpen({ what: 'give', row }),
      },
      { label: '领取与使用', route: couponGrant.list, onClick: () => setOpen({ what: 'grants', row }) },
    ]
    return [
      ...(waits ? [...deciding, ...using] : [...using, ...deciding]),
      { label: '复制', route: coupon.add, onClick: () => setOpen({ what: 'add', of: row }) },
      {
        label: '停发',
        route: coupon.stop,
        danger: true,
        disabled: couponFlow.can('stop', row.status) ? undefined : '已停发或已驳回',
        onClick: () => askStop([row.id], factsOf(row)),
      },
    ]
  }
  const addButton = <MainButton route={coupon.add} label="新增优惠券" onClick={() => setOpen({ what: 'add' })} />
  return (
    <>
      <ListPage
        {...list}
        note="总量即预算，须由他人审核；充电开始时冻结一张，账单减少时才用掉"
        nameOf={(row) => row.name}
        actions={addButton}
        emptyAction={addButton}
        rowActions={rowActions}
        renderBatch={(chosen) => (
          <Can route={coupon.stop}>
            <Button size="small" danger onClick={() => askStop(chosen.ids, [], chosen.clear)}>
              批量停发
            </Button>
          </Can>
        )}
      />
      {open?.what === 'add' && <AddCouponDialog of={open.of} onClose={close} />}
      {open?.what === 'give' && (
        <GiveDialog row={open.row} onRefused={(given) => setOpen({ what: 'refused', given })} onClose={close} />
      )}
      {open?.what === 'refused' && <RefusedDialog given={open.given} onClose={close} />}
      {open?.what === 'grants' && <CouponDrawer row={open.row} onClose={close} />}
      {open?.what === 'turnDown' && <TurnDownDialog row={open.row} onClose={close} />}
    </>
  )
}

const TurnDownDialog = ({ row, onClose }: { row: Coupon; onClose: () => void }) => (
  <FormDialog
    title={`驳回「${row.name}」`}
    route={coupon.turnDown}
    okText="驳回"
    also={{ id: row.id }}
    refresh={refresh}
    onClose={onClose}
  >
    <ConsequenceNote facts={factsOf(row)} effect="申请人会收到驳回原因" undo="驳回后须重新申请" />
    <TextField name="reason" label="驳回原因" />
  </FormDialog>
)
