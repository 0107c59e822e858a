import { basicServiceStatus, enabledStatus } from '@wattdeck/contract/common.ts'
import { type Organise, organiseColumns, organiseType, settlementWay } from '@wattdeck/contract/system/organise.ts'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { CopyId } from '../../../kit/display/CopyId.tsx'
import { MaskedText } from '../../../kit/display/MaskedText.tsx'
import { auditColumns } from '../../../kit/list/audit-columns.tsx'
import { Tag } from '../../../kit/display/StatusTag.tsx'

const titled = organiseColumns
const copied = (value: string | null, what: string) =>
  value === null ? cells.dash : <CopyId value={value} what={what} />

export const organiseTableColumns: Column<Organise>[] = [
  {
    key: 'name',
    title: titled.name,
    width: 180,
    fixed: 'start',
    render: (row) => (
      <>
        {row.name} {row.test && <Tag tone="book">测试</Tag>}
      </>
    ),
  },
  {
    key: 'status',
    title: titled.status,
    width: 80,
    card: 'tag',
    render: (row) => cells.status(enabledStatus, row.status),
  },
  { key: 'code', title: titled.code, width: 120, render: (row) => <CopyId value={row.code} what="机构编号" /> },
  { key: 'shortName', title: titled.shortName, width: 110, render: (row) => cells.text(row.shortName) },
  { key: 'type', title: titled.type, width: 110, render: (row) => cells.label(organiseType, row.type) },
  {
    key: 'basicServiceStatus',
    title: titled.basicServiceStatus,
    width: 120,
    render: (row) => cells.status(basicServiceStatus, row.basicServiceStatus),
  },
  {
    key: 'serviceExpiresOn',
    title: titled.serviceExpiresOn,
    width: 110,
    render: (row) => cells.time(row.serviceExpiresOn),
  },
  {
    key: 'agentCount',
    title: titled.agentCount,
    width: 90,
    align: 'end',
    render: (row) => cells.count(row.agentCount),
  },
  { key: 'siteCount', title: titled.siteCount, width: 80, align: 'end', render: (row) => cells.count(row.siteCount) },
  { key: 'contact', title: titled.contact, width: 90, render: (row) => cells.text(row.contact) },
  {
    key: 'phone',
    title: titled.phone,
    width: 150,
    render: (row) => <MaskedText value={row.phone} kind="organise" id={row.id} field="phone" what="手机号" />,
  },
  { key: 'region', title: titled.region, width: 190, render: (row) => cells.text(row.regionName) },
  { key: 'publicAccount', title: titled.publicAccount, width: 130, render: (row) => cells.text(row.publicAccount) },
  { key: 'miniProgram', title: titled.miniProgram, width: 130, render: (row) => cells.text(row.miniProgram) },
  { key: 'adminLoginName', title: titled.adminLoginName, width: 130, render: (row) => cells.text(row.adminLoginName) },
  { key: 'address', title: titled.address, width: 200, hidden: true, render: (row) => cells.text(row.address) },
  {
    key: 'creditCode',
    title: titled.creditCode,
    width: 200,
    hidden: true,
    render: (row) => copied(row.creditCode, '统一社会信用代码'),
  },
  {
    key: 'legalPerson',
    title: titled.legalPerson,
    width: 120,
    hidden: true,
    render: (row) => <MaskedText value={row.legalPerson} kind="organise" id={row.id} field="legalPerson" what="法人" />,
  },
  {
    key: 'settlementWay',
    title: titled.settlementWay,
    width: 100,
    hidden: true,
    render: (row) => cells.label(settlementWay, row.settlementWay),
  },
  { key: 'remark', title: titled.remark, width: 180, hidden: true, render: (row) => cells.text(row.remark) },
  ...auditColumns,
]
