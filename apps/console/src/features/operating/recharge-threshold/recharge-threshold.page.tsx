import { enabledStatus } from '@wattdeck/contract/common.ts'
import {
  planList,
  rechargeThreshold,
  type RechargePlan,
  tiersText,
  validText,
} from '@wattdeck/contract/operating/recharge-threshold.ts'
import { MainButton } from '../../../kit/crud/MainButton.tsx'
import { useFieldList } from '../../../kit/crud/use-field-list.ts'
import { removal, useConfirmedSubmit } from '../../../kit/form/use-confirm.ts'
import { useOpen } from '../../../kit/form/use-return-focus.ts'
import { toggleOf } from '../../../kit/list/enabled-toggle.ts'
import { ListPage } from '../../../kit/list/ListPage.tsx'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import './recharge-threshold.css'

const PlanDialog = lazyPart(async () => (await import('./recharge-threshold.edit-dialog.tsx')).PlanDialog)
const refresh = [rechargeThreshold.list]
const periodCell = ({ startsOn, endsOn }: RechargePlan) => (
  <>
    <div>{startsOn}</div>
    <div className="meta">至 {endsOn ?? '长期'}</div>
  </>
)
const consequence = {
  停用: '停用后，会员改用上一级（代理商、机构）的充值门槛；上一级没有时，可充值任意金额且没有赠送。已提交的充值和已到账的赠送不受影响',
  启用: '启用后，该归属的会员在生效期内按此门槛充值，上一级的门槛对其不再适用。已提交的充值不受影响',
}

export default function RechargeThresholdPage() {
  const [editing, setEditing, close] = useOpen<RechargePlan | 'new'>()
  const toggle = useConfirmedSubmit(rechargeThreshold.toggle, { refresh })
  const remove = useConfirmedSubmit(rechargeThreshold.remove, { refresh })
  const list = useFieldList(planList, {
    listKey: 'recharge-threshold',
    liveKey: 'rechargeThreshold',
    columns: {
      allowsCustom: { render: (row) => (row.allowsCustom ? '可自定义' : '仅限档位') },
      tiers: { soft: false, render: (row) => <span className="recharge-offer">{tiersText(row.tiers)}</span> },
      giftValidDays: { render: (row) => validText(row.giftValidDays) },
      period: { soft: false, render: periodCell },
    },
  })

  function rowActions(row: RechargePlan): RowAction[] {
    const what = `「${row.place}」的充值门槛`
    const next = toggleOf(row.status, what)
    const content = consequence[row.status === enabledStatus.code.enabled ? '停用' : '启用']
    return [
      { label: '编辑', route: rechargeThreshold.edit, onClick: () => setEditing(row) },
      {
        label: next.label,
        route: rechargeThreshold.toggle,
        onClick: () => toggle({ ...next.question, content }, { body: { id: row.id, status: next.status } }),
      },
      {
        label: '删除',
        route: rechargeThreshold.remove,
        danger: true,
        disabled: row.used ? '已有会员按该门槛充值，不能删除，可停用' : undefined,
        onClick: () => remove(removal(what), { body: { id: row.id } }),
      },
    ]
  }
  const addButton = <MainButton route={rechargeThreshold.add} label="新增充值门槛" onClick={() => setEditing('new')} />
  return (
    <>
      <ListPage
        {...list}
        note="会员按最近一级的归属适用：站点、代理商、机构"
        nameOf={(row) => row.place}
        actions={addButton}
        emptyAction={addButton}
        rowActions={rowActions}
      />
      {editing && <PlanDialog row={editing === 'new' ? undefined : editing} onClose={close} />}
    </>
  )
}
