import { enabledStatus } from '@wattdeck/contract/common.ts'
import { priceType, type Site, site, siteColumns, siteType } from '@wattdeck/contract/system/site.ts'
import { listExport } from '../../../kit/bulk/exports.ts'
import type { Cell } from '../../../kit/bulk/sheets/cell.ts'
import { listSites } from './site.store.ts'

const cellOf: Record<keyof typeof siteColumns, (row: Site) => Cell> = {
  code: (row) => row.code,
  name: (row) => row.name,
  type: (row) => siteType.show(row.type).label,
  region: (row) => row.regionName,
  address: (row) => row.address,
  location: (row) => (row.lng === null || row.lat === null ? null : `${row.lng},${row.lat}`),
  organiseName: (row) => row.organiseName,
  agentName: (row) => row.agentName,
  contact: (row) => row.contact,
  phone: (row) => row.phone,
  deviceCount: (row) => row.deviceCount,
  tariffName: (row) => row.tariffName,
  parkingSpaces: (row) => row.parkingSpaces,
  capacityKva: (row) => row.capacityKva,
  priceType: (row) => priceType.show(row.priceType).label,
  parkingNote: (row) => row.parkingNote,
  openHours: (row) => row.openHours,
  insurance: (row) => (row.insured ? `已投保${row.insuredUntil === null ? '' : `，至${row.insuredUntil}`}` : '未投保'),
  status: (row) => enabledStatus.show(row.status).label,
  remark: (row) => row.remark,
  createdBy: (row) => row.createdBy,
  createdAt: (row) => row.createdAt,
  updatedAt: (row) => row.updatedAt,
}

export const siteExport = listExport({
  list: 'site',
  title: '站点列表',
  module: '站点管理',
  route: site.list,
  read: listSites,
  columns: Object.fromEntries(
    Object.entries(siteColumns).map(([key, title]) => [key, { title, of: cellOf[key as keyof typeof siteColumns] }]),
  ),
})
