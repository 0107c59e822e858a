import { basicServiceStatus, enabledStatus } from '@wattdeck/contract/common.ts'
import {
  type Organise,
  organise,
  organiseColumns,
  organiseType,
  settlementWay,
} from '@wattdeck/contract/system/organise.ts'
import { listExport } from '../../../kit/bulk/exports.ts'
import type { Cell } from '../../../kit/bulk/sheets/cell.ts'
import { listOrganises } from './organise.store.ts'

const cellOf: Record<keyof typeof organiseColumns, (row: Organise) => Cell> = {
  code: (row) => row.code,
  name: (row) => row.name,
  shortName: (row) => row.shortName,
  type: (row) => organiseType.show(row.type).label,
  contact: (row) => row.contact,
  phone: (row) => row.phone,
  region: (row) => row.regionName,
  address: (row) => row.address,
  publicAccount: (row) => row.publicAccount,
  miniProgram: (row) => row.miniProgram,
  creditCode: (row) => row.creditCode,
  legalPerson: (row) => row.legalPerson,
  settlementWay: (row) => settlementWay.show(row.settlementWay).label,
  agentCount: (row) => row.agentCount,
  siteCount: (row) => row.siteCount,
  basicServiceStatus: (row) => basicServiceStatus.show(row.basicServiceStatus).label,
  serviceExpiresOn: (row) => row.serviceExpiresOn,
  adminLoginName: (row) => row.adminLoginName,
  status: (row) => enabledStatus.show(row.status).label,
  test: (row) => (row.test ? '是' : '否'),
  remark: (row) => row.remark,
  createdBy: (row) => row.createdBy,
  createdAt: (row) => row.createdAt,
  updatedAt: (row) => row.updatedAt,
}

export const organiseExport = listExport({
  list: 'organise',
  title: '机构列表',
  module: '机构管理',
  route: organise.list,
  read: listOrganises,
  columns: Object.fromEntries(
    Object.entries(organiseColumns).map(([key, title]) => [
      key,
      { title, of: cellOf[key as keyof typeof organiseColumns] },
    ]),
  ),
})
