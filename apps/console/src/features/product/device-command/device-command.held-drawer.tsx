import { deviceCommand, type PendingBatch, pendingBatchList } from '@wattdeck/contract/product/device-command.ts'
import { Drawer } from 'antd'
import { useState } from 'react'
import type { ColumnChanges } from '../../../kit/crud/field-columns.tsx'
import { useFieldList } from '../../../kit/crud/use-field-list.ts'
import * as cells from '../../../kit/display/cells.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { useLocalListState } from '../../../kit/list/list-state.ts'
import { ListPanel } from '../../../kit/list/ListPanel.tsx'
import { useConfirmSheet } from '../../../kit/form/confirm-sheet.tsx'
import { TextField } from '../../../kit/form/fields/TextField.tsx'

const columns: ColumnChanges<PendingBatch> = {
  title: { fixed: false },
  total: { align: 'start', render: (row) => row.total },
  labels: { render: (row) => cells.text(row.labels.join('、')) },
}
const refresh = [deviceCommand.held]
const own = '不能审批自己发起的任务'

/** Batches of commands that need approval by a second person. */
export function PendingBatchesDrawer({ onClose }: { onClose: () => void }) {
  const state = useLocalListState(deviceCommand.held)
  const list = useFieldList(pendingBatchList, { listKey: 'held-command', columns })
  const [refusing, setRefusing] = useState<PendingBatch>()
  const approve = useConfirmSheet(deviceCommand.approve, { refresh })
  return (
    <Drawer open className="drawer-list" title="待审批的批量指令" size={1100} onClose={onClose}>
      <ListPanel
        {...list}
        state={state}
        nameOf={(row) => row.title}
        toolbar="涉及较多设备的指令，须由发起人以外的人审批后执行"
        rowActions={(row) => [
          {
            label: '通过',
            route: deviceCommand.approve,
            disabled: row.own ? own : undefined,
            onClick: () =>
              approve(
                {
                  title: `通过「${row.title}」？`,
                  okText: '通过并执行',
                  danger: true,
                  facts: [
                    ['设备', `${row.total} 台：${row.labels.join('、')}${row.total > row.labels.length ? ' 等' : ''}`],
                    ['发起人', row.createdBy],
                  ],
                  effect: `立即对 ${row.total} 台设备执行「${row.title}」`,
                  second: `由${row.createdBy}发起，您为审批人`,
                },
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
          <TextField name="reason" label="原因" />
        </FormDialog>
      )}
    </Drawer>
  )
}
