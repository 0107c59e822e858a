import type { DataOf } from '@wattdeck/contract/kit/route.ts'
import { monthlyPlan, type MonthlyPlan } from '@wattdeck/contract/system/monthly-plan.ts'
import { Modal, Timeline } from 'antd'
import { useDetail } from '../../../kit/api/queries.ts'
import { States } from '../../../kit/display/States.tsx'
import { dialogWidth } from '../../../kit/form/dialog-width.ts'

type Version = DataOf<typeof monthlyPlan.versions>['rows'][number]

/** The versions of a plan, newest first; passes that were sold keep theirs. */
export function VersionsDialog({ row, onClose }: { row: MonthlyPlan; onClose: () => void }) {
  const versions = useDetail(monthlyPlan.versions, { params: { id: row.id } })
  return (
    <Modal open title={`历史版本：${row.name}`} width={dialogWidth.s} footer={null} onCancel={onClose}>
      <States query={versions}>
        {({ rows }) => (
          <Timeline items={rows.map((version) => ({ key: version.id, content: <Terms version={version} /> }))} />
        )}
      </States>
    </Modal>
  )
}

const Terms = ({ version }: { version: Version }) => (
  <>
    <div>
      第{version.no}版 {version.name}：¥{version.price} / {version.days} 天
    </div>
    <div>
      每次 {version.use}，{version.times}，{version.reach}
    </div>
    <div className="meta">
      {version.createdAt} {version.createdBy}，已售 {version.sold}
    </div>
  </>
)
