import { postingKind } from '@wattdeck/contract/accounting/ledger-codes.ts'
import {
  bookPart,
  flowDirection,
  incomeExpense,
  type IncomeExpense,
  incomeExpenseDays,
  incomeExpenseList,
} from '@wattdeck/contract/dashboard/income-expense.ts'
import type { ColumnChanges } from '../../../kit/crud/field-columns.tsx'
import { useFieldList } from '../../../kit/crud/use-field-list.ts'
import * as cells from '../../../kit/display/cells.tsx'
import { CopyId } from '../../../kit/display/CopyId.tsx'
import { ListPage } from '../../../kit/list/ListPage.tsx'
import { useDayPresets } from '../../../kit/list/views/presets.ts'

const isOut = (row: IncomeExpense) => row.direction === flowDirection.code.out

const columns: ColumnChanges<IncomeExpense> = {
  part: { render: (row) => cells.label(bookPart, row.part) },
  kind: { render: (row) => cells.label(postingKind, row.kind) },
  amount: { render: (row) => cells.flow(isOut(row) ? `-${row.amount}` : row.amount) },
  ref: {
    render: ({ ref, objectKind, objectId }) => (
      <CopyId
        value={ref}
        what="关联单号"
        object={objectKind === null || objectId === null ? undefined : { kind: objectKind, id: objectId }}
      />
    ),
  },
}

const totals = {
  route: incomeExpense.totals,
  items: [
    { key: 'income', label: '经营收入', unit: '¥' },
    { key: 'expense', label: '经营支出', unit: '¥' },
    { key: 'net', label: '经营净额', unit: '¥' },
    { key: 'received', label: '收款', unit: '¥' },
    { key: 'paidBack', label: '退款及扣费', unit: '¥' },
    { key: 'balance', label: '收付净额', unit: '¥' },
  ],
}

export default function IncomeExpensePage() {
  const list = useFieldList(incomeExpenseList, { listKey: 'income-expense', columns })
  return (
    <ListPage
      {...list}
      note={`经营收支是充电收入和各项成本，资金收付是支付渠道和柜台实际收付的钱；充值在充电时才成为收入，两者不相加。一次最多查询${incomeExpenseDays.most}天，未选择日期时为近${incomeExpenseDays.usual}天`}
      presets={useDayPresets('近7天')}
      totals={totals}
      nameOf={(row) => `${row.at} ${row.ref}`}
    />
  )
}
