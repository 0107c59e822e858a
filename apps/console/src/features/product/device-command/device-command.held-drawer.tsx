import { deviceCommand, type HeldBatch } from '@wattdeck/contract/product/device-command.ts'
import { Drawer, Input } from 'antd'
import { useState } from 'react'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { Field } from '../../../kit/form/Field.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { useLocalListState } from '../../../kit/list/list-state.ts'
import { ListPanel } from '../../../kit/list/ListPanel.tsx'
import { useConfirmedSubmit } from '../../../kit/form/use-confirm.ts'

const columns: Column<HeldBatch>[] = [
  { key: 'title', title: '任务', width: 160, render: (row) => row.title },
  { key: 'total', title: '设备数', width: 80, render: (row) => row.total },
  { key: 'labels', title: '设备', width: 300, render: (row) => cells.text(row.labels.join('、')) },
  { key: 'createdBy', title: '发起人', width: 100, render: (row) => row.createdBy },
  { key: 'createdAt', title: '发起时间', width: 170, render: (row) => cells.time(row.createdAt) },
]
const refresh = [deviceCommand.held]
const own = '不能审批自己发起的任务'

/** Commands to many devices that wait for a second person. */
export function HeldDrawer({ onClose }: { onClose: () => void }) {
  const state = useLocalListState(deviceCommand.held)
  const [refusing, setRefusing] = useState<HeldBatch>()
  const approve = useConfirmedSubmit(deviceCommand.approve, { refresh })
  return (
    <Drawer open className="drawer-list" title="待审批的批量指令" size={1100} onClose={onClose}>
      <ListPanel
        listKey="held-command"
        route={deviceCommand.held}
        state={state}
        columns={columns}
        nameOf={(row) => row.title}
        filters={[]}
        toolbar="涉及较多设备的指令，须由发起人以外的人审批后执行"
        rowActions={(row) => [
          {
            label: '批准',
            route: deviceCommand.approve,
            disabled: row.own ? own : undefined,
            onClick: () =>
              approve(
                { title: `确定要批准「${row.title}」吗？`, content: `将对 ${row.total} 台设备执行`, okText: '批准' },
                { body: { id: row.id } },
              ),
          },
          {
            label: '驳回',
            route: deviceCommand.turnDown,
            danger: true,
            disabled: row.own ? own : undefined,
            onClick: () => setRefusing(row),
          },
        ]}
      />
      {refusing && (
        <FormDialog
          title={`驳回：${refusing.title}`}
          route={deviceCommand.turnDown}
          okText="驳回"
          refresh={refresh}
          toBody={({ reason }) => ({ id: refusing.id, reason: reason as string })}
          onClose={() => setRefusing(undefined)}
        >
          <Field name="reason" label="原因">
            <Input autoComplete="off" />
          </Field>
        </FormDialog>
      )}
    </Drawer>
  )
}
