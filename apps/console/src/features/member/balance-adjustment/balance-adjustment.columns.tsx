import { adjustmentDirection, type BalanceAdjustment } from '@wattdeck/contract/member/balance-adjustment.ts'
import { wallet } from '@wattdeck/contract/member/member-row.ts'
import type { ColumnChanges } from '../../../kit/crud/field-columns.tsx'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { FilePicture } from '../../../kit/media/FilePicture.tsx'

type Row = BalanceAdjustment

export const signed = ({ direction, amount }: Pick<Row, 'direction' | 'amount'>) =>
  cells.flow(direction === adjustmentDirection.code.down ? `-${amount}` : amount)

export const pictureColumn: Column<Row> = {
  key: 'picture',
  title: '凭证',
  width: 70,
  card: 'none',
  render: ({ pictureId }) =>
    pictureId === null ? cells.dash : <FilePicture id={pictureId} alt="凭证图片" size={32} />,
}

export const adjustmentColumns: ColumnChanges<Row> = {
  direction: { card: 'none', render: (row) => cells.label(adjustmentDirection, row.direction) },
  wallet: { render: (row) => cells.label(wallet, row.wallet) },
  amount: { render: signed },
}
