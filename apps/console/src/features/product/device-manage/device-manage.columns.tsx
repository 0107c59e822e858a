import { enabledStatus } from '@wattdeck/contract/common.ts'
import { deviceServiceStatus, installStatus, lineStatus } from '@wattdeck/contract/product/device-codes.ts'
import { type Device, deviceColumns } from '@wattdeck/contract/product/device-manage.ts'
import type { UserInfo } from '@wattdeck/contract/auth/session.ts'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { decidedColumns } from '../../../kit/list/decided-columns.tsx'
import { alikeOwners, ownerColumns } from '../../../kit/owner-region/owner-columns.tsx'
import { ObjectLink } from '../../../kit/objects/ObjectLink.tsx'
import { OnlineDot, PlugStrip, SignalBars } from '../../../kit/devices/device-cells.tsx'

const column = (
  key: keyof typeof deviceColumns,
  width: number,
  render: Column<Device>['render'],
  more: Partial<Column<Device>> = {},
): Column<Device> => ({ key, title: deviceColumns[key], width, render, ...more })

const hidden = { hidden: true } as const
const soft = { soft: true } as const
const location = ({ lng, lat }: Device) => (lng === null || lat === null ? cells.dash : `${lng}, ${lat}`)

const tariffOf = ({ tariffId, tariffName }: Device) => (
  <ObjectLink kind="tariff" id={tariffName === null ? null : tariffId}>
    {cells.text(tariffName)}
  </ObjectLink>
)

const decided = [
  ['deviceNo', 'name'],
  ['online', 'lastSeenAt'],
  ['ports'],
  ['siteName', 'agentName'],
  ['typeName', 'tariffName'],
  ['status', 'serviceStatus'],
  ['serviceUntil', 'csq'],
] as const

export const deviceTableColumns = (user: UserInfo | undefined): Column<Device>[] =>
  decidedColumns(allColumns(user), decided, alikeOwners(user))

const allColumns = (user: UserInfo | undefined): Column<Device>[] => [
  column(
    'deviceNo',
    130,
    (row) => (
      <ObjectLink kind="device" id={row.id}>
        {row.deviceNo}
      </ObjectLink>
    ),
    { fixed: 'start' },
  ),
  column('name', 160, (row) => (
    <ObjectLink kind="device" id={row.id}>
      {row.name}
    </ObjectLink>
  )),
  column('online', 80, (row) => <OnlineDot online={row.online} />, { card: 'tag' }),
  column('ports', 240, (row) => <PlugStrip ports={row.ports} online={row.online} />),
  column('csq', 90, (row) => <SignalBars csq={row.csq} />),
  column('lastSeenAt', 110, (row) => cells.ago(row.lastSeenAt)),
  column('typeName', 150, (row) => row.typeName, soft),
  ...ownerColumns(user),
  column('tariffName', 150, tariffOf, soft),
  column('status', 80, (row) => cells.status(enabledStatus, row.status)),
  column('serviceStatus', 100, (row) => cells.status(deviceServiceStatus, row.serviceStatus)),
  column('serviceUntil', 120, (row) => cells.time(row.serviceUntil)),
  column('softwareVersion', 100, (row) => cells.text(row.softwareVersion)),
  column('installStatus', 90, (row) => cells.status(installStatus, row.installStatus)),
  column('lineStatus', 90, (row) => cells.status(lineStatus, row.lineStatus)),
  column('imei', 160, (row) => cells.text(row.imei), hidden),
  column('iccid', 190, (row) => cells.text(row.iccid), hidden),
  column('categoryName', 110, (row) => row.categoryName, hidden),
  column('smallCategoryName', 120, (row) => row.smallCategoryName, hidden),
  column('portCount', 80, (row) => cells.count(row.portCount), { align: 'end', hidden: true }),
  column('hardwareVersion', 100, (row) => cells.text(row.hardwareVersion), hidden),
  column('protocolName', 130, (row) => row.protocolName, hidden),
  column('installedBy', 100, (row) => cells.text(row.installedBy), hidden),
  column('installedAt', 180, (row) => cells.time(row.installedAt), hidden),
  column('location', 180, location, hidden),
  column('remark', 180, (row) => cells.text(row.remark), hidden),
  column('createdBy', 110, (row) => cells.text(row.createdBy), hidden),
  column('createdAt', 180, (row) => cells.time(row.createdAt), hidden),
  column('updatedAt', 180, (row) => cells.time(row.updatedAt), hidden),
]
