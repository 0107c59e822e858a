import { SettingOutlined } from '@ant-design/icons'
import { Button, Popover, Tooltip } from 'antd'
import type { ColumnChoice } from './columns.ts'
import { later } from './later.tsx'

const ColumnList = later(async () => (await import('./ColumnList.tsx')).ColumnList)

type ColumnItem = { key: string; title: string; hidden?: boolean }
export type ColumnChooserProps = {
  columns: readonly ColumnItem[]
  choice: ColumnChoice | undefined
  onChange: (choice: ColumnChoice | undefined) => void
}

/** Which columns are shown, and in which order. */
export function ColumnChooser(props: ColumnChooserProps) {
  return (
    <Popover content={<ColumnList {...props} />} trigger="click" placement="bottomRight">
      <Tooltip title="列设置">
        <Button type="text" icon={<SettingOutlined />} aria-label="列设置" />
      </Tooltip>
    </Popover>
  )
}
