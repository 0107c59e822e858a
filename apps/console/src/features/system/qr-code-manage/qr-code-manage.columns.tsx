import {
  type QrCode,
  qrCodeColumns,
  qrCodeKind,
  qrCodeStatus,
  qrCodeType,
} from '@wattdeck/contract/system/qr-code-manage.ts'
import type { UserInfo } from '@wattdeck/contract/auth/session.ts'
import { Link } from 'react-router'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { CopyId } from '../../../kit/display/CopyId.tsx'
import { ownerColumns } from '../../../kit/owner-region/owner-columns.tsx'

const column = (
  key: keyof typeof qrCodeColumns,
  width: number,
  render: Column<QrCode>['render'],
  more: Partial<Column<QrCode>> = {},
): Column<QrCode> => ({ key, title: qrCodeColumns[key], width, render, ...more })

const boundTo = ({ deviceId, deviceNo }: QrCode) =>
  deviceId === null || deviceNo === null ? (
    cells.dash
  ) : (
    <Link to={`/product/deviceDetail?id=${deviceId}`}>{deviceNo}</Link>
  )

export const codeColumns = (user: UserInfo | undefined): Column<QrCode>[] => [
  column('codeNo', 190, (row) => <CopyId value={row.codeNo} what="编码" />, { fixed: 'start' }),
  column('status', 90, (row) => cells.status(qrCodeStatus, row.status), { card: 'tag' }),
  column('type', 90, (row) => cells.status(qrCodeType, row.type)),
  column('kind', 110, (row) => cells.label(qrCodeKind, row.kind)),
  column('deviceNo', 130, boundTo),
  column('portNo', 80, (row) => cells.text(row.portNo), { align: 'end' }),
  column('content', 300, (row) => <CopyId value={row.content} what="内容URL" />, { card: 'none' }),
  column('batchNo', 150, (row) => row.batchNo),
  ...ownerColumns(user),
  column('createdAt', 180, (row) => cells.time(row.createdAt)),
  column('usedAt', 180, (row) => cells.time(row.usedAt)),
  column('usedBy', 100, (row) => cells.text(row.usedBy), { hidden: true }),
]
