import {
  type QrBatch,
  qrBatchStatus,
  qrCodeKind,
  qrCodeManage,
  qrCodeType,
} from '@wattdeck/contract/system/qr-code-manage.ts'
import { Drawer } from 'antd'
import { useNavigate } from 'react-router'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { useLocalListState } from '../../../kit/list/list-state.ts'
import { ListPanel } from '../../../kit/list/ListPanel.tsx'
import { usePack } from './qr-code-manage.batch.tsx'
import type { Printed } from './qr-code-manage.sheet.tsx'

const madeText = ({ made, total }: QrBatch) =>
  made === total ? cells.count(total) : `${cells.count(made)} / ${cells.count(total)}`

const columns: Column<QrBatch>[] = [
  { key: 'batchNo', title: '批次号', width: 150, fixed: 'start', render: (row) => row.batchNo },
  { key: 'status', title: '状态', width: 90, card: 'tag', render: (row) => cells.status(qrBatchStatus, row.status) },
  { key: 'made', title: '二维码数', width: 120, align: 'end', render: madeText },
  { key: 'kind', title: '类别', width: 110, render: (row) => cells.label(qrCodeKind, row.kind) },
  { key: 'type', title: '码类型', width: 90, render: (row) => cells.status(qrCodeType, row.type) },
  { key: 'units', title: '设备数', width: 90, align: 'end', render: (row) => cells.count(row.units) },
  { key: 'ports', title: '每台端口数', width: 100, align: 'end', render: (row) => cells.text(row.ports || null) },
  { key: 'prefix', title: '前缀', width: 80, render: (row) => cells.text(row.prefix) },
  { key: 'organiseName', title: '所属机构', render: (row) => row.organiseName },
  { key: 'createdBy', title: '创建人', width: 100, render: (row) => row.createdBy },
  { key: 'createdAt', title: '创建时间', width: 180, render: (row) => cells.time(row.createdAt) },
]
const stillMade = '正在生成，请稍候'

type Props = { onPrint: (what: Printed) => void; onClose: () => void }

/** What was ordered together, to be printed and packed together. */
export function BatchesDrawer({ onPrint, onClose }: Props) {
  const state = useLocalListState(qrCodeManage.batches)
  const navigate = useNavigate()
  const { pack } = usePack()
  const waiting = (row: QrBatch) => (row.status === qrBatchStatus.code.done ? undefined : stillMade)
  return (
    <Drawer open className="drawer-list" title="生成批次" size={1100} onClose={onClose}>
      <ListPanel
        listKey="qr-batch"
        liveKey="qrCode"
        route={qrCodeManage.batches}
        state={state}
        columns={columns}
        nameOf={(row) => row.batchNo}
        filters={[
          { kind: 'select', name: 'kind', label: '类别', options: qrCodeKind.options },
          { kind: 'select', name: 'status', label: '状态', options: qrBatchStatus.options },
        ]}
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
