import { postingKind } from '@wattdeck/contract/accounting/ledger-codes.ts'
import type { WalletEvent } from '@wattdeck/contract/accounting/statement.ts'
import * as cells from '../../../kit/display/cells.tsx'
import { CopyId } from '../../../kit/display/CopyId.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { eventNote, eventTitle } from './event-text.ts'

/** One line for each business event of a wallet; 分录 shows the ledger entries. */
export const eventColumns: Column<WalletEvent>[] = [
  { key: 'at', title: '时间', width: 180, render: (row) => cells.time(row.at) },
  { key: 'kind', title: '类型', width: 110, card: 'tag', render: eventTitle },
  { key: 'amount', title: '金额（元）', width: 120, align: 'end', render: (row) => cells.flow(row.amount) },
  { key: 'note', title: '说明', width: 260, render: (row) => <Note event={row} /> },
  { key: 'balance', title: '余额（元）', width: 120, align: 'end', render: (row) => cells.money(row.balance) },
  { key: 'ref', title: '关联单号', width: 200, render: (row) => <CopyId value={row.ref} what="关联单号" /> },
]

function Note({ event }: { event: WalletEvent }) {
  const text = eventNote(event)
  if (event.legs.length < 2) return cells.text(text)
  return (
    <details className="event-legs">
      <summary>
        {text} <span className="meta">分录</span>
      </summary>
      <ul>
        {event.legs.map((leg) => (
          <li key={leg.id}>
            <span>
              {leg.at.slice(5)} {postingKind.show(leg.kind).label}
            </span>
            {cells.flow(leg.amount)}
          </li>
        ))}
      </ul>
    </details>
  )
}
