import { RightOutlined } from '@ant-design/icons'
import type { WorkTable } from '@wattdeck/contract/dashboard/work-table.ts'
import { Link } from 'react-router'
import * as cells from '../kit/cells.tsx'
import { ownPath } from '../kit/own-path.ts'
import { homePath } from '../kit/paths.ts'
import { NothingHere } from './Block.tsx'

export function ToDoTiles({ items }: { items: WorkTable['toDo'] }) {
  if (items.length === 0) return <NothingHere>暂无待处理事项</NothingHere>
  return (
    <ul className="to-do">
      {items.map((item) => (
        <li key={item.title}>
          <Link to={ownPath(item.route, homePath)} data-waiting={item.count > 0}>
            <span className="to-do-title">{item.title}</span>
            <strong>{cells.count(item.count)}</strong>
            <RightOutlined aria-hidden />
          </Link>
        </li>
      ))}
    </ul>
  )
}
