import { type MemberOrder, memberOrderStatus } from '@wattdeck/contract/member/member-info.ts'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { CopyId } from '../../../kit/display/CopyId.tsx'
import { ObjectLink } from '../../../kit/objects/ObjectLink.tsx'

/** '1小时5分' */
const lengthText = (seconds: number) => {
  const minutes = Math.floor(seconds / 60)
  return minutes < 60 ? `${minutes}分` : `${Math.floor(minutes / 60)}小时${minutes % 60}分`
}

/** The charges of a member. */
export const orderColumns: Column<MemberOrder>[] = [
  {
    key: 'id',
    title: '订单号',
    width: 210,
    render: (row) => <CopyId value={row.id} what="订单号" object={{ kind: 'order', id: row.id }} />,
  },
  {
    key: 'status',
    title: '状态',
    width: 90,
    card: 'tag',
    render: (row) => cells.status(memberOrderStatus, row.status),
  },
  {
    key: 'siteName',
    title: '站点',
    width: 150,
    render: (row) => (
      <ObjectLink kind="site" id={row.siteName === null ? null : row.siteId}>
        {cells.text(row.siteName)}
      </ObjectLink>
    ),
  },
  {
    key: 'deviceNo',
    title: '设备/端口',
    width: 150,
    render: (row) => (
      <>
        <ObjectLink kind="device" id={row.deviceId}>
          {row.deviceNo}
        </ObjectLink>{' '}
        / {row.portNo}
      </>
    ),
  },
  { key: 'startedAt', title: '开始时间', width: 180, render: (row) => cells.time(row.startedAt) },
  {
    key: 'durationS',
    title: '时长',
    width: 100,
    render: (row) => cells.text(row.durationS === null ? null : lengthText(row.durationS)),
  },
  {
    key: 'energyKwh',
    title: '电量（度）',
    width: 110,
    align: 'end',
    render: (row) => cells.text(row.energyKwh),
  },
  { key: 'total', title: '金额（元）', width: 110, align: 'end', render: (row) => cells.money(row.total) },
]
