import { ColumnHeightOutlined, ReloadOutlined } from '@ant-design/icons'
import { Button, Tooltip } from 'antd'
import type { ReactNode } from 'react'
import { ColumnChooser } from './ColumnChooser.tsx'
import type { ColumnChoice } from './columns.ts'
import { errorText } from '../api/error-handling.ts'
import { MenuButton } from '../display/MenuButton.tsx'
import type { Density } from './table-preferences.ts'
import { Tag } from '../display/StatusTag.tsx'

type Props = {
  children: ReactNode
  failure: unknown
  onRefresh: () => unknown
  refreshing: boolean
  /** When the rows were fetched. */
  updated?: string
  columns:
    | {
        all: readonly { key: string; title: string; hidden?: boolean }[]
        choice: ColumnChoice | undefined
        keep: (choice: ColumnChoice | undefined) => void
      }
    | undefined
  density: { density: Density; keep: (density: Density) => void } | undefined
}

const densities: { key: Density; label: string }[] = [
  { key: 'large', label: '宽松' },
  { key: 'medium', label: '中等' },
  { key: 'small', label: '紧凑' },
]

/** Above a table: the content of the page on one side; refresh, density and columns on the other. */
export function TableToolbar({ children, failure, onRefresh, refreshing, updated, columns, density }: Props) {
  return (
    <div className="table-toolbar">
      <div className="table-toolbar-own">
        {children}
        {failure ? (
          <span role="alert">
            <Tag tone="bad">未更新</Tag> {errorText(failure)}
          </span>
        ) : null}
      </div>
      <Tooltip title={updated === undefined ? '刷新' : `刷新（${updated}）`}>
        <Button
          type="text"
          icon={<ReloadOutlined spin={refreshing} />}
          aria-label="刷新"
          data-shortcut="r"
          onClick={() => onRefresh()}
        />
      </Tooltip>
      {density && (
        <MenuButton
          type="text"
          icon={<ColumnHeightOutlined />}
          aria-label="密度"
          entries={densities.map(({ key, label }) => ({
            label,
            checked: key === density.density,
            onClick: () => density.keep(key),
          }))}
        />
      )}
      {columns && <ColumnChooser columns={columns.all} choice={columns.choice} onChange={columns.keep} />}
    </div>
  )
}
