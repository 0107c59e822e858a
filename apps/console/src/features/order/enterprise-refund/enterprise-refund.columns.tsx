import { type EnterpriseRefund, enterpriseRefundColumns } from '@wattdeck/contract/order/enterprise-refund.ts'
import { refundStep } from '@wattdeck/contract/order/refund-codes.ts'
import type { UserInfo } from '@wattdeck/contract/session/session.ts'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { CopyId } from '../../../kit/display/CopyId.tsx'
import { FilePicture } from '../../../kit/media/FilePicture.tsx'
import { MaskedText } from '../../../kit/display/MaskedText.tsx'
import { ownerColumns } from '../../../kit/owner-region/owner-columns.tsx'
import * as shown from '../_shared/order-cells.tsx'

type Row = EnterpriseRefund
const column = (
  key: keyof typeof enterpriseRefundColumns,
  width: number,
  render: Column<Row>['render'],
  more: Partial<Column<Row>> = {},
): Column<Row> => ({ key, title: enterpriseRefundColumns[key], width, render, ...more })
const hidden = { hidden: true } as const
const voucher = ({ voucherId }: Row) =>
  voucherId === null ? cells.dash : <FilePicture id={voucherId} alt="打款回单" size={32} />

export const enterpriseRefundTable = (user: UserInfo | undefined): Column<Row>[] => [
  column('id', 200, (row) => <CopyId value={row.id} what="退款单号" />, { fixed: 'start' }),
  column('status', 110, (row) => cells.status(refundStep, row.status), { card: 'tag' }),
  column('company', 180, (row) => row.company),
  column('amount', 110, (row) => <strong>{shown.yuan(row.amount)}</strong>, { align: 'end' }),
  column('payee', 160, (row) => row.payee),
  column('account', 180, (row) => (
    <MaskedText value={row.account} kind="enterpriseRefund" id={row.id} field="account" what="收款账号" />
  )),
  column('bank', 200, (row) => row.bank),
  { key: 'voucher', title: '凭证', width: 70, card: 'none', render: voucher },
  column('reason', 180, (row) => row.reason),
  column('createdBy', 100, (row) => row.createdBy),
  column('createdAt', 170, (row) => cells.time(row.createdAt)),
  column('auditedBy', 100, (row) => cells.text(row.auditedBy)),
  column('approvedBy', 100, (row) => cells.text(row.approvedBy)),
  column('decision', 180, (row) => cells.text(row.decision)),
  column('paidBy', 100, (row) => cells.text(row.paidBy)),
  column('finishedAt', 170, (row) => cells.time(row.finishedAt)),
  column('memberId', 150, (row) => row.memberId),
  ...ownerColumns(user),
  column('taxpayerNo', 190, (row) => cells.text(row.taxpayerNo), hidden),
  column('auditedAt', 170, (row) => cells.time(row.auditedAt), hidden),
  column('approvedAt', 170, (row) => cells.time(row.approvedAt), hidden),
]
