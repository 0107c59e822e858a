import {
  qrCodeManage,
  type QrSuspicion,
  suspicionFlow,
  suspicionState,
} from '@wattdeck/contract/system/qr-code-manage.ts'
import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { Drawer, Input } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { Field } from '../../../kit/form/Field.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { useLocalListState } from '../../../kit/list/list-state.ts'
import { ListPanel } from '../../../kit/list/ListPanel.tsx'

const deviceLink = (id: string, no: string | null) =>
  no === null ? cells.dash : <Link to={`/product/deviceDetail?id=${id}`}>{no}</Link>

const columns: Column<QrSuspicion>[] = [
  { key: 'codeNo', title: '二维码', width: 180, fixed: 'start', render: (row) => cells.text(row.codeNo) },
  { key: 'state', title: '状态', width: 90, card: 'tag', render: (row) => cells.status(suspicionState, row.state) },
  {
    key: 'expected',
    title: '应贴设备',
    width: 130,
    render: (row) => deviceLink(row.expectedDeviceId, row.expectedDeviceNo),
  },
  { key: 'likely', title: '疑似贴在', width: 130, render: (row) => deviceLink(row.likelyDeviceId, row.likelyDeviceNo) },
  { key: 'likelyPortNo', title: '端口', width: 70, align: 'end', render: (row) => row.likelyPortNo },
  { key: 'siteName', title: '站点', render: (row) => cells.text(row.siteName) },
  { key: 'times', title: '次数', width: 70, align: 'end', render: (row) => cells.count(row.times) },
  { key: 'at', title: '最近发现', width: 180, render: (row) => cells.time(row.at) },
  { key: 'remark', title: '说明', width: 180, hidden: true, render: (row) => cells.text(row.remark) },
  { key: 'handledBy', title: '核实人', width: 100, render: (row) => cells.text(row.handledBy) },
  { key: 'handledAt', title: '核实时间', width: 180, hidden: true, render: (row) => cells.time(row.handledAt) },
]
const judged = '该记录已核实'
type Judging = { row: QrSuspicion; confirmed: boolean }

/** Codes that seem to be stuck on another device than they are bound to. Somebody has to go and look. */
export function SuspicionsDrawer({ onClose }: { onClose: () => void }) {
  const state = useLocalListState(qrCodeManage.suspicions)
  const [judging, setJudging] = useState<Judging>()
  return (
    <Drawer open className="drawer-list" title="疑似错贴的二维码" size={1100} onClose={onClose}>
      <ListPanel
        listKey="qr-suspicion"
        route={qrCodeManage.suspicions}
        state={state}
        columns={columns}
        nameOf={(row) => row.codeNo ?? row.id}
        filters={[{ kind: 'select', name: 'state', label: '状态', options: suspicionState.options }]}
        toolbar="扫码启动时设备答复未插枪，而同站点另一台设备刚刚插枪"
        rowActions={(row) => [
          {
            label: '确认错贴',
            route: qrCodeManage.judge,
            disabled: suspicionFlow.can('confirm', row.state) ? undefined : judged,
            onClick: () => setJudging({ row, confirmed: true }),
          },
          {
            label: '排除',
            route: qrCodeManage.judge,
            disabled: suspicionFlow.can('dismiss', row.state) ? undefined : judged,
            onClick: () => setJudging({ row, confirmed: false }),
          },
        ]}
      />
      {judging && (
        <FormDialog
          title={`${judging.confirmed ? '确认错贴' : '排除'}：${judging.row.codeNo ?? ''}`}
          route={qrCodeManage.judge}
          okText={judging.confirmed ? '确认' : '排除'}
          toBody={(values) =>
            ({ ...values, id: judging.row.id, confirmed: judging.confirmed }) as BodyOf<typeof qrCodeManage.judge>
          }
          refresh={[qrCodeManage.suspicions]}
          onClose={() => setJudging(undefined)}
        >
          <Field
            name="remark"
            label="说明"
            help={judging.confirmed ? '确认后请到现场更换贴纸，或重新绑定该二维码' : undefined}
          >
            <Input.TextArea rows={3} />
          </Field>
        </FormDialog>
      )}
    </Drawer>
  )
}
