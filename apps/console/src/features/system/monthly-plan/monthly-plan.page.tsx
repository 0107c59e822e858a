import { enabledStatus } from '@wattdeck/contract/common.ts'
import { monthlyPlan, monthlyPlanList, type MonthlyPlan } from '@wattdeck/contract/system/monthly-plan.ts'
import { MainButton } from '../../../kit/crud/MainButton.tsx'
import { useFieldList } from '../../../kit/crud/use-field-list.ts'
import { removal, useConfirmedSubmit } from '../../../kit/form/use-confirm.ts'
import { useOpen } from '../../../kit/form/use-return-focus.ts'
import { toggleOf } from '../../../kit/list/enabled-toggle.ts'
import { ListPage } from '../../../kit/list/ListPage.tsx'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'

const PlanDialog = lazyPart(async () => (await import('./monthly-plan.edit-dialog.tsx')).PlanDialog)
const VersionsDialog = lazyPart(async () => (await import('./monthly-plan.versions-dialog.tsx')).VersionsDialog)
const refresh = [monthlyPlan.list]
type Open =
  | { what: 'add' }
  | { what: 'edit'; row: MonthlyPlan }
  | { what: 'copy'; row: MonthlyPlan }
  | { what: 'versions'; row: MonthlyPlan }
const consequence = {
  停用: '停用后不能再购买，已售出的包月照常使用到期满；已提交的支付在支付后仍然生效',
  启用: '启用后，会员可以按当前版本购买',
}

export default function MonthlyPlanPage() {
  const [open, setOpen, close] = useOpen<Open>()
  const toggle = useConfirmedSubmit(monthlyPlan.toggle, { refresh })
  const remove = useConfirmedSubmit(monthlyPlan.remove, { refresh })
  const list = useFieldList(monthlyPlanList, {
    listKey: 'monthly-plan',
    liveKey: 'monthlyPlan',
    columns: { no: { render: (row) => `第${row.no}版` } },
  })

  function rowActions(row: MonthlyPlan): RowAction[] {
    const what = `包月方案「${row.name}」`
    const next = toggleOf(row.status, what)
    const content = consequence[row.status === enabledStatus.code.enabled ? '停用' : '启用']
    return [
      { label: '编辑', route: monthlyPlan.edit, onClick: () => setOpen({ what: 'edit', row }) },
      { label: '复制', route: monthlyPlan.add, onClick: () => setOpen({ what: 'copy', row }) },
      {
        label: next.label,
        route: monthlyPlan.toggle,
        onClick: () => toggle({ ...next.question, content }, { body: { id: row.id, status: next.status } }),
      },
      { label: '历史版本', onClick: () => setOpen({ what: 'versions', row }) },
      {
        label: '删除',
        route: monthlyPlan.remove,
        danger: true,
        disabled: row.used ? '已有会员购买过该方案，不能删除，可停用' : undefined,
        onClick: () => remove(removal(what), { body: { id: row.id } }),
      },
    ]
  }
  const addButton = <MainButton route={monthlyPlan.add} label="新增方案" onClick={() => setOpen({ what: 'add' })} />
  return (
    <>
      <ListPage
        {...list}
        note="修改价格、天数、额度或站点会产生新版本，已售出的包月按购买时的版本使用"
        nameOf={(row) => row.name}
        actions={addButton}
        emptyAction={addButton}
        rowActions={rowActions}
      />
      {open?.what === 'versions' && <VersionsDialog row={open.row} onClose={close} />}
      {(open?.what === 'edit' || open?.what === 'copy') && (
        <PlanDialog row={open.row} copies={open.what === 'copy'} onClose={close} />
      )}
      {open?.what === 'add' && <PlanDialog onClose={close} />}
    </>
  )
}
