import { Drawer } from 'antd'
import type { ColumnListProps } from '../../../kit/list/ColumnList.tsx'
import { ColumnList } from '../../../kit/list/ColumnList.tsx'
import { useNarrow } from '../../../kit/display/use-narrow.ts'

type Group = ColumnListProps & { title: string }

/** The cards of the work table and their order: for one user in this browser, like the columns of lists. */
export function ArrangeDrawer({ groups, onClose }: { groups: readonly Group[]; onClose: () => void }) {
  const narrow = useNarrow()
  return (
    <Drawer open title="工作台设置" size={narrow ? '100%' : 380} onClose={onClose}>
      <div className="arrange">
        {groups.map((group) => (
          <ColumnList key={group.title} {...group} />
        ))}
      </div>
    </Drawer>
  )
}
