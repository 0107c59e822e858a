import { postingKind } from '@wattdeck/contract/accounting/ledger-codes.ts'
import type { StatementEntry } from '@wattdeck/contract/accounting/statement.ts'
import * as cells from './cells.tsx'
import type { Column } from '../list/columns.ts'
import type { NamedObject } from '../objects/object-types.ts'
import { CopyId } from './CopyId.tsx'

const { hold, release, bill, recharge } = postingKind.code
/** Reservations, releases and bills refer to a charge, recharges to a recharge. Other references have no page. */
function objectOfPosting({ kind, ref }: StatementEntry): NamedObject | undefined {
  if (!/^[1-9]\d{0,17}$/.test(ref)) return undefined
  if (kind === recharge) return { kind: 'recharge', id: ref }
  return kind === hold || kind === release || kind === bill ? { kind: 'order', id: ref } : undefined
}

/** Columns of account statements, shared by their pages. */
export const statementColumns: Column<StatementEntry>[] = [
  { key: 'at', title: '时间', width: 180, render: (row) => cells.time(row.at) },
  { key: 'kind', title: '类型', width: 110, card: 'tag', render: (row) => cells.status(postingKind, row.kind) },
  { key: 'amount', title: '金额（元）', width: 130, align: 'end', render: (row) => cells.flow(row.amount) },
  { key: 'balance', title: '余额（元）', width: 130, align: 'end', render: (row) => cells.money(row.balance) },
  {
    key: 'ref',
    title: '关联单号',
    width: 200,
    render: (row) => <CopyId value={row.ref} what="关联单号" object={objectOfPosting(row)} />,
  },
]
