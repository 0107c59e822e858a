import { enabledStatus } from '@wattdeck/contract/common.ts'
import type { UserInfo } from '@wattdeck/contract/auth/session.ts'
import type { OperationArea } from '@wattdeck/contract/system/operation-area.ts'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { MaskedText } from '../../../kit/display/MaskedText.tsx'
import { ownerColumns } from '../../../kit/owner-region/owner-columns.tsx'
import { auditColumns } from '../../../kit/list/audit-columns.tsx'

type Status = OperationArea['status']

/** A status that was just switched is shown before the server has it. */
export const areaColumns = (
  user: UserInfo | undefined,
  statusOf: (row: OperationArea) => Status,
): Column<OperationArea>[] => [
  { key: 'name', title: '区域名称', width: 180, fixed: 'start', render: (row) => row.name },
  {
    key: 'status',
    title: '状态',
    width: 80,
    card: 'tag',
    render: (row) => cells.status(enabledStatus, statusOf(row)),
  },
  { key: 'region', title: '省/市/区', width: 200, render: (row) => cells.text(row.regionName) },
  { key: 'leader', title: '负责人', width: 100, render: (row) => cells.text(row.leader) },
  {
    key: 'phone',
    title: '电话',
    width: 150,
    render: (row) => <MaskedText value={row.phone} kind="operationArea" id={row.id} field="phone" what="电话" />,
  },
  { key: 'siteCount', title: '站点数', width: 90, align: 'end', render: (row) => cells.count(row.siteCount) },
  { key: 'userCount', title: '人员数', width: 90, align: 'end', render: (row) => cells.count(row.userCount) },
  ...ownerColumns(user, ['organise', 'agent']),
  { key: 'remark', title: '备注', width: 180, hidden: true, render: (row) => cells.text(row.remark) },
  ...auditColumns,
]
