import { agentType, enabledStatus } from '@wattdeck/contract/common.ts'
import type { UserInfo } from '@wattdeck/contract/auth/session.ts'
import { type Operator, operatorColumns, shareText } from '@wattdeck/contract/system/operator-info.ts'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { CopyId } from '../../../kit/display/CopyId.tsx'
import { MaskedText } from '../../../kit/display/MaskedText.tsx'
import { ownerColumns } from '../../../kit/owner-region/owner-columns.tsx'
import { auditColumns } from '../../../kit/list/audit-columns.tsx'

const titled = operatorColumns

export const operatorTableColumns = (user: UserInfo | undefined): Column<Operator>[] => [
  { key: 'name', title: titled.name, width: 150, fixed: 'start', render: (row) => row.name },
  {
    key: 'status',
    title: titled.status,
    width: 80,
    card: 'tag',
    render: (row) => cells.status(enabledStatus, row.status),
  },
  ...ownerColumns(user, ['organise']),
  {
    key: 'parentAgentName',
    title: titled.parentAgentName,
    width: 140,
    render: (row) => cells.text(row.parentAgentName),
  },
  { key: 'depth', title: titled.depth, width: 70, align: 'end', render: (row) => cells.count(row.depth) },
  { key: 'share', title: titled.share, width: 100, align: 'end', render: (row) => shareText(row.shareBp) },
  { key: 'siteCount', title: titled.siteCount, width: 80, align: 'end', render: (row) => cells.count(row.siteCount) },
  { key: 'code', title: titled.code, width: 120, render: (row) => <CopyId value={row.code} what="运营商编号" /> },
  { key: 'type', title: titled.type, width: 80, render: (row) => cells.label(agentType, row.type) },
  { key: 'contact', title: titled.contact, width: 90, render: (row) => cells.text(row.contact) },
  {
    key: 'phone',
    title: titled.phone,
    width: 150,
    render: (row) => <MaskedText value={row.phone} kind="agent" id={row.id} field="phone" what="手机号" />,
  },
  { key: 'region', title: titled.region, width: 190, render: (row) => cells.text(row.regionName) },
  { key: 'adminLoginName', title: titled.adminLoginName, width: 130, render: (row) => cells.text(row.adminLoginName) },
  { key: 'address', title: titled.address, width: 200, hidden: true, render: (row) => cells.text(row.address) },
  { key: 'remark', title: titled.remark, width: 180, hidden: true, render: (row) => cells.text(row.remark) },
  ...auditColumns,
]
