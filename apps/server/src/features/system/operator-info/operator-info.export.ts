import { agentType, enabledStatus } from '@wattdeck/contract/common.ts'
import { type Operator, operatorColumns, operatorInfo, shareText } from '@wattdeck/contract/system/operator-info.ts'
import { listExport } from '../../../kit/bulk/exports.ts'
import type { Cell } from '../../../kit/bulk/sheets/cell.ts'
import { listOperators } from './operator-info.store.ts'

const cellOf: Record<keyof typeof operatorColumns, (row: Operator) => Cell> = {
  code: (row) => row.code,
  name: (row) => row.name,
  type: (row) => agentType.show(row.type).label,
  organiseName: (row) => row.organiseName,
  parentAgentName: (row) => row.parentAgentName,
  depth: (row) => row.depth,
  contact: (row) => row.contact,
  phone: (row) => row.phone,
  region: (row) => row.regionName,
  address: (row) => row.address,
  siteCount: (row) => row.siteCount,
  share: (row) => shareText(row.shareBp),
  adminLoginName: (row) => row.adminLoginName,
  status: (row) => enabledStatus.show(row.status).label,
  remark: (row) => row.remark,
  createdBy: (row) => row.createdBy,
  createdAt: (row) => row.createdAt,
  updatedAt: (row) => row.updatedAt,
}

export const operatorExport = listExport({
  list: 'operatorInfo',
  title: '运营商列表',
  module: '运营商信息',
  route: operatorInfo.list,
  read: listOperators,
  columns: Object.fromEntries(
    Object.entries(operatorColumns).map(([key, title]) => [
      key,
      { title, of: cellOf[key as keyof typeof operatorColumns] },
    ]),
  ),
})
