import { ArrowDownOutlined, ArrowUpOutlined } from '@ant-design/icons'
import { Button, Checkbox } from 'antd'
import { type ColumnChoice, isHidden, moved, orderedColumns } from './columns.ts'

type ColumnItem = { key: string; title: string; hidden?: boolean }
export type ColumnListProps = {
  columns: readonly ColumnItem[]
  choice: ColumnChoice | undefined
  onChange: (choice: ColumnChoice | undefined) => void
}
type Props = ColumnListProps & { title?: string }

/** Shows, hides and reorders columns; by buttons, because not every user can drag. */
export function ColumnList({ columns, choice, onChange, title = '列设置' }: Props) {
  const items = orderedColumns(columns, choice)
  const now: ColumnChoice = {
    order: items.map((item) => item.key),
    hidden: items.filter((item) => isHidden(item, choice)).map((item) => item.key),
  }
  const shownCount = now.order.length - now.hidden.length
  const mover = (item: { key: string; title: string }, by: -1 | 1, atEnd: boolean) => (
    <button
      type="button"
      className="icon-button"
      aria-label={`${by < 0 ? '上移' : '下移'}${item.title}`}
      aria-disabled={atEnd}
      onClick={(event) => {
        if (atEnd) return
        onChange({ ...now, order: moved(now.order, item.key, by) })
        // A moved row loses the focus, and the next key press would have no target.
        const { currentTarget } = event
        requestAnimationFrame(() => currentTarget.focus())
      }}
    >
      {by < 0 ? <ArrowUpOutlined /> : <ArrowDownOutlined />}
    </button>
  )
  return (
    <section className="column-chooser" aria-label={title}>
      <strong>{title}</strong>
      <ul>
        {items.map((item, place) => {
          const hidden = now.hidden.includes(item.key)
          const toggled = hidden ? now.hidden.filter((key) => key !== item.key) : [...now.hidden, item.key]
          return (
            <li key={item.key}>
              <Checkbox
                checked={!hidden}
                disabled={!hidden && shownCount === 1}
                onChange={() => onChange({ ...now, hidden: toggled })}
              >
                {item.title}
              </Checkbox>
              {mover(item, -1, place === 0)}
              {mover(item, 1, place === items.length - 1)}
            </li>
          )
        })}
      </ul>
      <Button size="small" onClick={() => onChange(undefined)}>
        恢复默认
      </Button>
    </section>
  )
}
