import { plugStatus } from '@wattdeck/contract/product/device-codes.ts'
import { deviceManage } from '@wattdeck/contract/product/device-manage.ts'
import { countedPlugs, type Site, type siteList } from '@wattdeck/contract/system/site.ts'
import { Link } from 'react-router'
import { useCan } from '../../../kit/api/Can.tsx'
import type { ColumnChanges } from '../../../kit/crud/field-columns.tsx'
import * as cells from '../../../kit/display/cells.tsx'
import { Tag } from '../../../kit/display/StatusTag.tsx'
import './site.css'

const devicesOf = ({ id }: Site) => `/product/deviceManage?siteId=${id}`

function DeviceCount({ row }: { row: Site }) {
  const mayOpen = useCan(deviceManage.list)
  const count = cells.count(row.deviceCount)
  return mayOpen && row.deviceCount > 0 ? <Link to={devicesOf(row)}>{count}</Link> : count
}

/** Counts link to the counted devices. */
function Ports({ row }: { row: Site }) {
  const mayOpen = useCan(deviceManage.list)
  if (row.deviceCount === 0) return cells.dash
  return (
    <span className="site-ports">
      {countedPlugs.map((name) => {
        const code = plugStatus.code[name]
        const count = row.ports[name]
        const { label, tone = 'off' } = plugStatus.show(code)
        const tag = <Tag tone={count === 0 ? 'off' : tone}>{`${label} ${count}`}</Tag>
        return mayOpen && count > 0 ? (
          <Link key={name} to={`${devicesOf(row)}&plugStatus=${code}`}>
            {tag}
          </Link>
        ) : (
          <span key={name}>{tag}</span>
        )
      })}
    </span>
  )
}

export const siteColumns: ColumnChanges<Site, keyof typeof siteList.fields> = {
  deviceCount: { render: (row) => <DeviceCount row={row} /> },
  ports: { render: (row) => <Ports row={row} /> },
  location: { render: ({ lng, lat }) => (lng === null || lat === null ? cells.dash : `${lng}, ${lat}`) },
  insurance: { render: ({ insured, insuredUntil }) => (insured ? (insuredUntil ?? '已投保') : '未投保') },
}
