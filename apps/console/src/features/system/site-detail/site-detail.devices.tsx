import { enabledStatus } from '@wattdeck/contract/common.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { onlineStatus, plugStatus } from '@wattdeck/contract/product/device-codes.ts'
import { type Device, deviceColumns, deviceManage } from '@wattdeck/contract/product/device-manage.ts'
import type { SiteDetail } from '@wattdeck/contract/system/site-detail.ts'
import { Link } from 'react-router'
import { titledColumns } from '../../../kit/crud/titled-columns.ts'
import { OnlineDot, PlugStrip } from '../../../kit/devices/device-cells.tsx'
import { watchDeviceRows } from '../../../kit/devices/device-live.ts'
import * as cells from '../../../kit/display/cells.tsx'
import type { Filter } from '../../../kit/list/filters.ts'
import { ListPanel } from '../../../kit/list/ListPanel.tsx'
import { useLocalListState } from '../../../kit/list/list-state.ts'
import { ObjectLink } from '../../../kit/objects/ObjectLink.tsx'

const column = titledColumns<Device>()(deviceColumns)
const soft = { soft: true } as const

const columns = [
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
  column('name', 160, (row) => row.name, soft),
  column('online', 80, (row) => <OnlineDot online={row.online} />, { card: 'tag' }),
  column('ports', 240, (row) => <PlugStrip ports={row.ports} online={row.online} />),
  column('lastSeenAt', 110, (row) => cells.ago(row.lastSeenAt)),
  column('typeName', 150, (row) => row.typeName, soft),
  column(
    'tariffName',
    150,
    (row) => (
      <ObjectLink kind="tariff" id={row.tariffName === null ? null : row.tariffId}>
        {cells.text(row.tariffName)}
      </ObjectLink>
    ),
    soft,
  ),
  column('status', 80, (row) => cells.status(enabledStatus, row.status)),
]

const filters: Filter<QueryOf<typeof deviceManage.list>>[] = [
  { kind: 'text', name: 'keyword', label: '编号/名称/IMEI/ICCID' },
  { kind: 'select', name: 'online', label: '在线状态', options: onlineStatus.options },
  { kind: 'select', name: 'plugStatus', label: '端口状态', options: plugStatus.options },
]

/** The devices of the site, live as in the list of all devices. */
export function SiteDevices({ row: { id, organiseId } }: { row: SiteDetail }) {
  const state = useLocalListState(deviceManage.list, { organiseId, siteId: id })
  return (
    <ListPanel
      listKey="site-device"
      liveKey="device"
      watchRows={watchDeviceRows}
      route={deviceManage.list}
      state={state}
      columns={columns}
      nameOf={(row) => row.deviceNo}
      filters={filters}
      toolbar={<Link to={`/product/deviceManage?siteId=${id}`}>在设备管理中查看</Link>}
    />
  )
}
