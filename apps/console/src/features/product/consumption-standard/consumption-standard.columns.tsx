import { enabledStatus } from '@wattdeck/contract/common.ts'
import {
  billingType,
  type ConsumptionStandard,
  standardColumns,
} from '@wattdeck/contract/product/consumption-standard.ts'
import type { UserInfo } from '@wattdeck/contract/auth/session.ts'
import { auditColumns } from '../../../kit/list/audit-columns.tsx'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { decidedColumns } from '../../../kit/list/decided-columns.tsx'
import { ObjectLink } from '../../../kit/objects/ObjectLink.tsx'
import { alikeOwners, ownerColumns } from '../../../kit/owner-region/owner-columns.tsx'
import { Tag } from '../../../kit/display/StatusTag.tsx'
import { titledColumns } from '../../../kit/crud/titled-columns.ts'

const column = titledColumns<ConsumptionStandard>()(standardColumns)

const hidden = { hidden: true } as const
const yesNo = (is: boolean) => (is ? '是' : '否')
const end = { align: 'end' } as const

const decided = [
  ['name', 'billingType'],
  ['status'],
  ['prices'],
  ['versionNo', 'next'],
  ['deviceCount', 'siteCount'],
  ['deviceTypeNames'],
  ['organiseName', 'agentName'],
] as const

export const standardTableColumns = (user: UserInfo | undefined): Column<ConsumptionStandard>[] =>
  decidedColumns(allColumns(user), decided, alikeOwners(user))

const allColumns = (user: UserInfo | undefined): Column<ConsumptionStandard>[] => [
  column(
    'name',
    160,
    (row) => (
      <ObjectLink kind="tariff" id={row.id}>
        {row.name}
      </ObjectLink>
    ),
    { fixed: 'start' },
  ),
  column('billingType', 90, (row) => cells.label(billingType, row.billingType)),
  column('prices', 250, (row) => cells.text(row.prices)),
  column('versionNo', 110, (row) => (
    <>
      {row.versionNo === null ? <Tag tone="off">未发布</Tag> : `第 ${row.versionNo} 版`}{' '}
      {row.draftNo !== null && row.versionNo !== null && <Tag tone="book">有草稿</Tag>}
    </>
  )),
  column('deviceCount', 100, (row) => cells.count(row.deviceCount), end),
  column('siteCount', 100, (row) => cells.count(row.siteCount), end),
  column('next', 180, (row) => (row.nextNo === null ? cells.dash : `第 ${row.nextNo} 版，${row.nextAt?.slice(0, 16)}`)),
  column('deviceTypeNames', 150, (row) =>
    row.deviceTypeNames.length === 0 ? '全部' : cells.names(row.deviceTypeNames),
  ),
  column('status', 80, (row) => cells.status(enabledStatus, row.status), { card: 'tag' }),
  ...ownerColumns(user),
  column('segmentCount', 80, (row) => (row.segmentCount === null ? cells.dash : row.segmentCount), {
    ...end,
    ...hidden,
  }),
  column('presets', 180, (row) => cells.text(row.presets), hidden),
  column('startFee', 110, (row) => row.startFee, { ...end, ...hidden }),
  column('minFee', 110, (row) => row.minFee, { ...end, ...hidden }),
  column('maxMinutes', 120, (row) => cells.count(row.maxMinutes), { ...end, ...hidden }),
  column('fullStop', 90, (row) => yesNo(row.fullStop), hidden),
  column('refundUnused', 90, (row) => yesNo(row.refundUnused), hidden),
  ...auditColumns,
]
