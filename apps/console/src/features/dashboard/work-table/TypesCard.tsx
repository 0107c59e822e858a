import { TagOutlined } from '@ant-design/icons'
import { taggedTypes, workTable } from '@wattdeck/contract/dashboard/work-table.ts'
import { Link } from 'react-router'
import * as cells from '../../../kit/display/cells.tsx'
import { useList } from '../../../kit/api/queries.ts'
import { Block, NothingHere } from '../_shared/Block.tsx'
import { type CardProps, ownerOf, ownerText } from './card-props.ts'

/** The most frequent device types as tags. */
export function TypesCard({ title, query }: CardProps) {
  const owner = ownerOf(query)
  const read = useList(workTable.types, { query: owner })
  return (
    <Block title={title} area="types" query={read} rows={5}>
      {({ tags, rows, others }) =>
        rows.length === 0 ? (
          <NothingHere>暂无设备</NothingHere>
        ) : (
          <>
            {tags.length > 0 && (
              <ul className="device-tags" aria-label="设备标签">
                {tags.map(({ id, code, name, devices }) => (
                  <li key={id}>
                    <Link
                      className="type-code"
                      to={`/product/deviceManage?deviceTypeId=${id}${ownerText(owner)}`}
                      title={name}
                    >
                      {code} {cells.count(devices)} 台
                    </Link>
                  </li>
                ))}
              </ul>
            )}
            <ul className="device-types">
              {rows.map(({ id, code, name, devices, online }) => (
                <li key={id}>
                  <Link to={`/product/deviceManage?deviceTypeId=${id}${ownerText(owner)}`}>
                    <span className="type-code">
                      {code}
                      {taggedTypes.includes(code) && <TagOutlined className="type-mark" aria-label="设备标签" />}
                    </span>
                    <span className="one-line">{name}</span>
                  </Link>
                  <span>
                    <strong>{cells.count(devices)}</strong> 台
                  </span>
                  <span className="meta">在线 {cells.count(online)}</span>
                  <span className="type-bar" aria-hidden>
                    <i style={{ width: `${(100 * devices) / (rows[0]?.devices ?? 1)}%` }} />
                  </span>
                </li>
              ))}
            </ul>
            {others > 0 && <p className="meta">其他类型 {cells.count(others)} 台</p>}
          </>
        )
      }
    </Block>
  )
}
