import type { EnterpriseRefund } from '@wattdeck/contract/order/enterprise-refund.ts'
import type { ColumnChanges } from '../../../kit/crud/field-columns.tsx'
import * as cells from '../../../kit/display/cells.tsx'
import { MaskedText } from '../../../kit/display/MaskedText.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { FilePicture } from '../../../kit/media/FilePicture.tsx'
import * as shown from '../_shared/order-cells.tsx'

type Row = EnterpriseRefund

export const voucherColumn: Column<Row> = {
  key: 'voucher',
  title: '凭证',
  width: 70,
  card: 'none',
  render: ({ voucherId }) =>
    voucherId === null ? cells.dash : <FilePicture id={voucherId} alt="打款回单" size={32} />,
}

export const enterpriseRefundColumns: ColumnChanges<Row> = {
  amount: { render: (row) => <strong>{shown.yuan(row.amount)}</strong> },
  account: {
    render: (row) => (
      <MaskedText value={row.account} kind="enterpriseRefund" id={row.id} field="account" what="收款账号" />
    ),
  },
}
