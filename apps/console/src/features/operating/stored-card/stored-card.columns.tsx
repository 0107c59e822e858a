import { storedCardState } from '@wattdeck/contract/operating/stored-card-codes.ts'
import type { StoredCard } from '@wattdeck/contract/operating/stored-card.ts'
import type { ColumnChanges } from '../../../kit/crud/field-columns.tsx'
import * as cells from '../../../kit/display/cells.tsx'
import { MaskedText } from '../../../kit/display/MaskedText.tsx'
import { Tag } from '../../../kit/display/StatusTag.tsx'

export const ChipNo = ({ card: { id, chipNo } }: { card: Pick<StoredCard, 'id' | 'chipNo'> }) => (
  <MaskedText value={chipNo} kind="storedCard" id={id} field="chipNo" what="物理卡号" />
)

export const cardColumns: ColumnChanges<StoredCard> = {
  chipNo: { soft: false, render: (row) => <ChipNo card={row} /> },
  state: {
    render: (row) => (
      <>
        {cells.status(storedCardState, row.state)}
        {row.charging && <Tag tone="run">充电中</Tag>}
        {row.waiting !== null && <Tag tone="warn">补卡待审核</Tag>}
      </>
    ),
  },
}

/** Facts of a card for a confirmation. */
export const cardFacts = (row: StoredCard) =>
  [
    ['卡号', row.cardNo],
    ['持卡人', row.holderName === null ? '不记名' : `${row.holderName} ${row.holderPhone ?? ''}`],
    ['余额', `¥${row.balance}，赠送 ¥${row.gift}，冻结 ¥${row.frozen}`],
  ] as const
