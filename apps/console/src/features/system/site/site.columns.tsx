import { enabledStatus } from '@wattdeck/contract/common.ts'
import { priceType, type Site, siteColumns, siteType } from '@wattdeck/contract/system/site.ts'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { CopyId } from '../../../kit/display/CopyId.tsx'
import { MaskedText } from '../../../kit/display/MaskedText.tsx'

const titled = siteColumns
const location = ({ lng, lat }: Site) => (lng === null || lat === null ? cells.dash : `${lng}, ${lat}`)
const insurance = ({ insured, insuredUntil }: Site) => (insured ? (insuredUntil ?? '已投保') : '未投保')

export const siteTableColumns = (organises: boolean): Column<Site>[] => [
  { key: 'name', title: titled.name, width: 180, fixed: 'start', render: (row) => row.name },
  {
    key: 'status',
    title: titled.status,
    width: 80,
    card: 'tag',
    render: (row) => cells.status(enabledStatus, row.status),
  },
  { key: 'code', title: titled.code, width: 120, render: (row) => <CopyId value={row.code} what="站点编号" /> },
  { key: 'type', title: titled.type, width: 90, render: (row) => cells.label(siteType, row.type) },
  { key: 'region', title: titled.region, width: 190, render: (row) => cells.text(row.regionName) },
  { key: 'address', title: titled.address, width: 200, render: (row) => cells.text(row.address) },
  { key: 'agentName', title: titled.agentName, width: 130, render: (row) => cells.text(row.agentName) },
  {
    key: 'organiseName',
    title: titled.organiseName,
    width: 150,
    hidden: !organises,
    render: (row) => row.organiseName,
  },
  { key: 'contact', title: titled.contact, width: 90, render: (row) => cells.text(row.contact) },
  {
    key: 'phone',
    title: titled.phone,
    width: 150,
    render: (row) => <MaskedText value={row.phone} kind="site" id={row.id} field="phone" what="电话" />,
  },
  {
    key: 'deviceCount',
    title: titled.deviceCount,
    width: 80,
    align: 'end',
    render: (row) => cells.count(row.deviceCount),
  },
  { key: 'tariffName', title: titled.tariffName, width: 150, render: (row) => cells.text(row.tariffName) },
  {
    key: 'parkingSpaces',
    title: titled.parkingSpaces,
    width: 90,
    align: 'end',
    render: (row) => cells.count(row.parkingSpaces),
  },
  {
    key: 'capacityKva',
    title: titled.capacityKva,
    width: 120,
    align: 'end',
    hidden: true,
    render: (row) => cells.count(row.capacityKva),
  },
  { key: 'priceType', title: titled.priceType, width: 110, render: (row) => cells.label(priceType, row.priceType) },
  { key: 'openHours', title: titled.openHours, width: 120, render: (row) => row.openHours },
  { key: 'location', title: titled.location, width: 180, hidden: true, render: location },
  {
    key: 'parkingNote',
    title: titled.parkingNote,
    width: 180,
    hidden: true,
    render: (row) => cells.text(row.parkingNote),
  },
  { key: 'insurance', title: titled.insurance, width: 110, hidden: true, render: insurance },
  { key: 'remark', title: titled.remark, width: 180, hidden: true, render: (row) => cells.text(row.remark) },
  { key: 'createdBy', title: titled.createdBy, width: 110, hidden: true, render: (row) => cells.text(row.createdBy) },
  { key: 'createdAt', title: titled.createdAt, width: 180, hidden: true, render: (row) => cells.time(row.createdAt) },
  { key: 'updatedAt', title: titled.updatedAt, width: 180, hidden: true, render: (row) => cells.time(row.updatedAt) },
]
