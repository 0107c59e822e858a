import {
  qrCodeManage,
  type QrSuspicion,
  qrSuspicionList,
  suspicionFlow,
} from '@wattdeck/contract/system/qr-code-manage.ts'
import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { Drawer, Input } from 'antd'
import { useState } from 'react'
import type { ColumnChanges } from '../../../kit/crud/field-columns.tsx'
import { useFieldList } from '../../../kit/crud/use-field-list.ts'
import { Field } from '../../../kit/form/Field.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { useLocalListState } from '../../../kit/list/list-state.ts'
import { ListPanel } from '../../../kit/list/ListPanel.tsx'

const columns: ColumnChanges<QrSuspicion> = {}
const judged = '该记录已核实'
type Judging = { row: QrSuspicion; confirmed: boolean }

/** Codes that are probably attached to a different device than the bound one. They need a check on site. */
export function SuspicionsDrawer({ onClose }: { onClose: () => void }) {
  const list = useFieldList(qrSuspicionList, { listKey: 'qr-suspicion', columns })
  const state = useLocalListState(qrCodeManage.suspicions)
  const [judging, setJudging] = useState<Judging>()
  return (
    <Drawer open className="drawer-list" title="疑似错贴的二维码" size={1100} onClose={onClose}>
      <ListPanel
        {...list}
        state={state}
        nameOf={(row) => row.codeNo ?? row.id}
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
