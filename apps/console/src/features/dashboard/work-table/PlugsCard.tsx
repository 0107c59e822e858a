import { type PlugCounts, workTable } from '@wattdeck/contract/dashboard/work-table.ts'
import { plugStatus } from '@wattdeck/contract/product/device-codes.ts'
import { Link } from 'react-router'
import * as cells from '../../../kit/display/cells.tsx'
import { useList } from '../../../kit/api/queries.ts'
import { Block, NothingHere } from '../_shared/Block.tsx'
import { type CardProps, ownerOf, ownerText } from './card-props.ts'

export function PlugsCard({ title, query }: CardProps) {
  const owner = ownerOf(query)
  const read = useList(workTable.plugs, { query: owner })
  return (
    <Block title={title} area="plugs" query={read} rows={6}>
      {(data) =>
        data.ports === 0 ? <NothingHere>暂无设备</NothingHere> : <Ring data={data} owner={ownerText(owner)} />
      }
    </Block>
  )
}

/** The arcs of the ring, each starting at the end of the previous one; the circumference is 100. */
function arcsOf({ byStatus }: PlugCounts) {
  const all = byStatus.reduce((sum, { count }) => sum + count, 0)
  let from = 0
  return byStatus.flatMap(({ status, count }) => {
    const share = all === 0 ? 0 : (100 * count) / all
    const arc = { status, count, share, from }
    from += share
    return count === 0 ? [] : [arc]
  })
}

/** An SVG ring without a chart library. The list beside it has the same content. */
function Ring({ data, owner }: { data: PlugCounts; owner: string }) {
  return (
    <div className="plugs">
      <div className="plug-ring">
        <svg viewBox="0 0 42 42" aria-hidden>
          {arcsOf(data).map(({ status, share, from }) => (
            <circle
              key={status}
              cx="21"
              cy="21"
              r="15.915"
              data-tone={plugStatus.show(status).tone}
              strokeDasharray={`${share} ${100 - share}`}
              strokeDashoffset={25 - from}
            />
          ))}
        </svg>
        <p>
          <strong>{cells.count(data.ports)}</strong>
          端口
        </p>
      </div>
      <ul>
        {data.byStatus.map(({ status, count }) => {
          const { label, tone = 'off' } = plugStatus.show(status)
          return (
            <li key={status} data-tone={tone}>
              <Link to={`/product/deviceManage?plugStatus=${status}${owner}`}>
                <span className="plug-dot" aria-hidden />
                {label}
              </Link>
              <span>{cells.count(count)}</span>
            </li>
          )
        })}
      </ul>
      {data.offline > 0 && (
        <p className="meta plugs-note">其中 {cells.count(data.offline)} 个属于离线设备，状态为最后一次上报</p>
      )}
    </div>
  )
}
