import {
  adjustmentColumns,
  adjustmentDirection,
  adjustmentStatus,
  type BalanceAdjustment,
} from '@wattdeck/contract/member/balance-adjustment.ts'
import { wallet } from '@wattdeck/contract/member/member-row.ts'
import type { UserInfo } from '@wattdeck/contract/auth/session.ts'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { CopyId } from '../../../kit/display/CopyId.tsx'
import { FilePicture } from '../../../kit/media/FilePicture.tsx'
import { MemberLink } from '../../../kit/display/MemberLink.tsx'
import { ownerColumns } from '../../../kit/owner-region/owner-columns.tsx'

type Row = BalanceAdjustment
const column = (
  key: keyof typeof adjustmentColumns,
  width: number,
  render: Column<Row>['render'],
  more: Partial<Column<Row>> = {},
): Column<Row> => ({ key, title: adjustmentColumns[key], width, render, ...more })

export const signed = ({ direction, amount }: Pick<Row, 'direction' | 'amount'>) =>
  cells.flow(direction === adjustmentDirection.code.down ? `-${amount}` : amount)

const pictureOf = ({ pictureId }: Row) =>
  pictureId === null ? cells.dash : <FilePicture id={pictureId} alt="凭证图片" size={32} />

export const adjustmentTableColumns = (user: UserInfo | undefined): Column<Row>[] => [
  column('adjustmentNo', 140, (row) => <CopyId value={row.adjustmentNo} what="调整单号" />, { fixed: 'start' }),
  column('status', 90, (row) => cells.status(adjustmentStatus, row.status), { card: 'tag' }),
  column('nickname', 150, (row) => <MemberLink id={row.memberId} name={row.nickname} />),
  column('direction', 80, (row) => cells.label(adjustmentDirection, row.direction), { card: 'none' }),
  column('wallet', 100, (row) => cells.label(wallet, row.wallet)),
  column('amount', 120, signed, { align: 'end' }),
  column('reason', 220, (row) => row.reason),
  { key: 'picture', title: '凭证', width: 70, card: 'none', render: pictureOf },
  column('createdBy', 100, (row) => row.createdBy),
  column('createdAt', 180, (row) => cells.time(row.createdAt)),
  column('decidedBy', 100, (row) => cells.text(row.decidedBy)),
  column('decidedAt', 180, (row) => cells.time(row.decidedAt)),
  column('decision', 180, (row) => cells.text(row.decision)),
  ...ownerColumns(user),
  column('memberId', 110, (row) => row.memberId, { hidden: true }),
]
