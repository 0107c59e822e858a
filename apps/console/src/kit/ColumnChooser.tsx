import { ArrowDownOutlined, ArrowUpOutlined, SettingOutlined } from '@ant-design/icons'
import { Button, Checkbox, Popover, Tooltip } from 'antd'
import { type ColumnChoice, isHidden, moved, orderedColumns } from './columns.ts'

type Item = { key: string; title: string; hidden?: boolean }

/** Which columns are shown, and in which order; by buttons, because not everybody can drag. */
export function ColumnChooser({
  columns,
  choice,
  onChange,
}: {
  columns: readonly Item[]
  choice: ColumnChoice | undefined
  onChange: (choice: ColumnChoice | undefined) => void
}) {
  const items = orderedColumns(columns, choice)
  const now: ColumnChoice = {
    order: items.map((item) => item.key),
    hidden: items.filter((item) => isHidden(item, choice)).map((item) => item.key),
  }
  const shownCount = now.order.length - now.hidden.length

  const list = (
    <section className="column-chooser" aria-label="列设置">
      <strong>列设置</strong>
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
              <button
                type="button"
                className="icon-button"
                aria-label={`上移${item.title}`}
                disabled={place === 0}
                onClick={() => onChange({ ...now, order: moved(now.order, item.key, -1) })}
              >
                <ArrowUpOutlined />
              </button>
              <button
                type="button"
                className="icon-button"
                aria-label={`下移${item.title}`}
                disabled={place === items.length - 1}
                onClick={() => onChange({ ...now, order: moved(now.order, item.key, 1) })}
              >
                <ArrowDownOutlined />
              </button>
            </li>
          )
        })}
      </ul>
      <Button size="small" onClick={() => onChange(undefined)}>
        恢复默认
      </Button>
    </section>
  )
  return (
    <Popover content={list} trigger="click" placement="bottomRight">
      <Tooltip title="列设置">
        <Button type="text" icon={<SettingOutlined />} aria-label="列设置" />
      </Tooltip>
    </Popover>
  )
}
