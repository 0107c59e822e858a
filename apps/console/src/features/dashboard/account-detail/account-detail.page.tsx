import { accountKind } from '@wattdeck/contract/accounting/ledger-codes.ts'
import {
  accountColumns,
  accountDetail,
  type AccountDetail,
  statementDays,
} from '@wattdeck/contract/dashboard/account-detail.ts'
import type { UserInfo } from '@wattdeck/contract/auth/session.ts'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { useListState } from '../../../kit/list/list-state.ts'
import { ListPanel } from '../../../kit/list/ListPanel.tsx'
import { ObjectLink } from '../../../kit/objects/ObjectLink.tsx'
import { ownerColumns } from '../../../kit/owner-region/owner-columns.tsx'
import { PageFrame } from '../../../kit/display/PageFrame.tsx'
import { useUser } from '../../../kit/api/user.ts'
import { useOpen } from '../../../kit/form/use-return-focus.ts'
import { titledColumns } from '../../../kit/crud/titled-columns.ts'

const EntriesDrawer = lazyPart(async () => (await import('./account-detail.entries-drawer.tsx')).EntriesDrawer)

type Amount = 'opening' | 'income' | 'expense' | 'closing' | 'frozen' | 'available'
const column = titledColumns<AccountDetail>()(accountColumns)
const amount = (key: Amount) => column(key, 105, (row) => cells.money(row[key]), { align: 'end' })

const ownerOf = ({ memberId, ownerName }: AccountDetail) => (
  <ObjectLink kind="member" id={memberId}>
    {cells.text(ownerName)}
  </ObjectLink>
)
const nameOf = ({ kind, ownerName, ownerId }: AccountDetail) =>
  `${accountKind.show(kind).label} ${ownerName ?? ownerId}`

const columnsFor = (user: UserInfo | undefined): Column<AccountDetail>[] => [
  column('kind', 140, (row) => cells.label(accountKind, row.kind), { fixed: 'start' }),
  column('ownerName', 140, ownerOf),
  amount('opening'),
  amount('income'),
  amount('expense'),
  amount('closing'),
  amount('frozen'),
  amount('available'),
  column('updatedAt', 180, (row) => cells.time(row.updatedAt)),
  ...ownerColumns(user),
  column('ownerId', 110, (row) => (row.ownerId === '0' ? cells.dash : row.ownerId), { hidden: true }),
]

export default function AccountDetailPage() {
  const user = useUser()
  const state = useListState(accountDetail.list)
  const [open, setOpen, close] = useOpen<AccountDetail>()
  const { from, to } = state.query
  return (
    <PageFrame
      title="账户明细"
      note={`期初、收入、支出、期末按所选日期计算，未选择起始日期时为截止日期前 ${statementDays.usual} 天；冻结和可用为当前金额。支付渠道的余额为渠道待结算（已收、尚未结算到账），负数表示已退的多于已收；渠道手续费、赠送成本为累计支出`}
    >
      <ListPanel
        listKey="account-detail"
        route={accountDetail.list}
        state={state}
        columns={columnsFor(user)}
        nameOf={nameOf}
        filters={[
          { kind: 'select', name: 'kind', label: '账户', options: accountKind.options },
          { kind: 'dates', from: 'from', to: 'to', label: '时间' },
          { kind: 'text', name: 'ownerId', label: '账户归属编号' },
          { kind: 'owner' },
        ]}
        exporting={{ route: accountDetail.exportList, keys: Object.keys(accountColumns) }}
        rowActions={(row) => [{ label: '明细', route: accountDetail.entries, onClick: () => setOpen(row) }]}
      />
      {open && (
        <EntriesDrawer
          id={open.id}
          title={nameOf(open)}
          days={{ ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }}
          onClose={close}
        />
      )}
    </PageFrame>
  )
}
