import { type QrBatch, qrBatchList, qrBatchStatus, qrCodeManage } from '@wattdeck/contract/system/qr-code-manage.ts'
import { Drawer } from 'antd'
import { useNavigate } from 'react-router'
import type { ColumnChanges } from '../../../kit/crud/field-columns.tsx'
import { useFieldList } from '../../../kit/crud/use-field-list.ts'
import * as cells from '../../../kit/display/cells.tsx'
import { useLocalListState } from '../../../kit/list/list-state.ts'
import { ListPanel } from '../../../kit/list/ListPanel.tsx'
import type { Printed } from '../../../kit/media/CodeSheet.tsx'
import { useCodePack } from '../../../kit/media/use-code-pack.ts'

const columns: ColumnChanges<QrBatch> = {
  made: {
    render: ({ made, total }) => (made === total ? cells.count(total) : `${cells.count(made)} / ${cells.count(total)}`),
  },
  ports: { render: (row) => cells.text(row.ports || null) },
  organiseName: { hidden: false },
  agentName: false,
  siteName: false,
}
const inProgressText = '正在生成，请稍候'

type Props = { onPrint: (what: Printed) => void; onClose: () => void }

/** Codes that were ordered together, to print and pack them. */
export function BatchesDrawer({ onPrint, onClose }: Props) {
  const list = useFieldList(qrBatchList, { listKey: 'qr-batch', liveKey: 'qrCode', columns })
  const state = useLocalListState(qrCodeManage.batches)
  const navigate = useNavigate()
  const { pack } = useCodePack()
  const waiting = (row: QrBatch) => (row.status === qrBatchStatus.code.done ? undefined : inProgressText)
  return (
    <Drawer open className="drawer-list" title="生成批次" size={1100} onClose={onClose}>
      <ListPanel
        {...list}
        state={state}
        nameOf={(row) => row.batchNo}
        rowActions={(row) => [
          {
            label: '打包下载',
            route: qrCodeManage.pack,
            disabled: waiting(row),
            onClick: () => pack(`batchNo=${row.batchNo}`, `批次 ${row.batchNo}`),
          },
          {
            label: '打印',
            disabled: waiting(row),
            onClick: () => onPrint({ title: `批次 ${row.batchNo}`, batchNo: row.batchNo }),
          },
          {
            label: '查看二维码',
            onClick: () => {
              onClose()
              void navigate(`/system/qrCodeManage?batchNo=${row.batchNo}`)
            },
          },
        ]}
      />
    </Drawer>
  )
}
