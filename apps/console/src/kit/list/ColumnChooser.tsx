import { SettingOutlined } from '@ant-design/icons'
import { Button, Popover, Tooltip } from 'antd'
import type { ColumnListProps } from './ColumnList.tsx'
import { lazyPart } from '../routing/lazy-part.tsx'

const ColumnList = lazyPart(async () => (await import('./ColumnList.tsx')).ColumnList)

/** Opens the list of columns to show, hide and reorder them. */
export function ColumnChooser(props: ColumnListProps) {
  return (
    <Popover content={<ColumnList {...props} />} trigger="click" placement="bottomRight">
      <Tooltip title="列设置">
        <Button type="text" icon={<SettingOutlined />} aria-label="列设置" />
      </Tooltip>
    </Popover>
  )
}
