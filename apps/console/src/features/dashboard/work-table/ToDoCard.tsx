import { RightOutlined } from '@ant-design/icons'
import { type ToDo, toDoKind, workTable } from '@wattdeck/contract/dashboard/work-table.ts'
import { Link } from 'react-router'
import * as cells from '../../../kit/display/cells.tsx'
import { ownPath } from '../../../kit/routing/own-path.ts'
import { homePath } from '../../../kit/routing/paths.ts'
import { useDetail } from '../../../kit/api/queries.ts'
import { Block, NothingHere } from '../_shared/Block.tsx'
import type { CardProps } from './card-props.ts'

export function ToDoCard({ title }: CardProps) {
  const read = useDetail(workTable.toDo)
  return (
    <Block title={title} area="to-do" query={read} rows={6}>
      {(data) => <ToDoList items={data.filter(({ count }) => count > 0)} />}
    </Block>
  )
}

/** Waiting items by kind, with a link to the list, and the first items with links to their records. */
function ToDoList({ items }: { items: readonly ToDo[] }) {
  if (items.length === 0) return <NothingHere>暂无待处理事项</NothingHere>
  return (
    <ul className="to-do">
      {items.map(({ kind, count, more, route, rows }) => (
        <li key={kind}>
          <Link className="to-do-head" to={ownPath(route, homePath)}>
            <span>{toDoKind.show(kind).label}</span>
            <strong>{`${cells.count(count)}${more ? '+' : ''}`}</strong>
            <RightOutlined aria-hidden />
          </Link>
          <ul>
            {rows.map((row) => (
              <li key={row.id}>
                <Link className="one-line" to={ownPath(row.route, homePath)} title={row.title}>
                  {row.title}
                </Link>
                {row.at !== null && <span className="meta">{cells.ago(row.at)}</span>}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  )
}
