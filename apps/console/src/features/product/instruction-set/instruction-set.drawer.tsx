import type { AnyRoute, BodyOf } from '@wattdeck/contract/kit/route.ts'
import { direction } from '@wattdeck/contract/product/catalogue.ts'
import { type Instruction, type InstructionSet, instructionSet } from '@wattdeck/contract/product/instruction-set.ts'
import { Drawer, Input, InputNumber, Radio } from 'antd'
import { useState } from 'react'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import '../../../kit/display/drawer-list.css'
import { Field } from '../../../kit/form/Field.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { useLocalListState } from '../../../kit/list/list-state.ts'
import { ListPanel } from '../../../kit/list/ListPanel.tsx'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import { useConfirmedSubmit } from '../../../kit/form/use-confirm.ts'
import { useReturnFocus } from '../../../kit/form/use-return-focus.ts'
import { MainButton } from '../../../kit/crud/MainButton.tsx'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { initialOf } from '../_shared/catalogue-actions.ts'
import { dialogWidth } from '../../../kit/form/dialog-width.ts'

const TestDialog = lazyPart(async () => (await import('./instruction-set.test-dialog.tsx')).TestDialog)

const columns: Column<Instruction>[] = [
  { key: 'name', title: '功能', width: 130, fixed: 'start', render: (row) => row.name },
  { key: 'commandWord', title: '命令字', width: 90, render: (row) => <code>{row.commandWord}</code> },
  { key: 'direction', title: '方向', width: 70, render: (row) => cells.label(direction, row.direction) },
  { key: 'params', title: '参数', render: (row) => cells.text(row.params) },
  { key: 'timeoutS', title: '超时', width: 70, align: 'end', render: (row) => `${row.timeoutS} 秒` },
  { key: 'retries', title: '重试', width: 70, align: 'end', render: (row) => `${row.retries} 次` },
  { key: 'sort', title: '排序', width: 70, align: 'end', hidden: true, render: (row) => row.sort },
  { key: 'updatedAt', title: '更新时间', width: 180, hidden: true, render: (row) => cells.time(row.updatedAt) },
]

type Props = { of: InstructionSet; refresh: readonly AnyRoute[]; onClose: () => void }

/** The instructions of a set, editable with the required right. */
export function InstructionsDrawer({ of, refresh, onClose }: Props) {
  const state = useLocalListState(instructionSet.instructions)
  const [editing, setEditing] = useState<Instruction | 'new'>()
  const [testing, setTesting] = useState<Instruction>()
  useReturnFocus(editing !== undefined || testing !== undefined)
  const remove = useConfirmedSubmit(instructionSet.removeInstruction, { refresh })
  const add = <MainButton route={instructionSet.addInstruction} label="新增指令" onClick={() => setEditing('new')} />

  const rowActions = (row: Instruction): RowAction[] => [
    {
      label: '在线测试',
      route: instructionSet.test,
      disabled: row.testProblem ?? undefined,
      onClick: () => setTesting(row),
    },
    { label: '编辑', route: instructionSet.editInstruction, onClick: () => setEditing(row) },
    {
      label: '删除',
      route: instructionSet.removeInstruction,
      danger: true,
      onClick: () =>
        remove(
          {
            title: `确定要删除指令「${row.name}」（${row.commandWord}）吗？`,
            content: '删除后不可恢复',
            danger: true,
            okText: '删除',
          },
          { body: { instructionId: row.id } },
        ),
    },
  ]
  return (
    <Drawer
      open
      className="drawer-list"
      title={`指令维护：${of.name}（${of.code}）`}
      size={dialogWidth.xl}
      extra={add}
      onClose={onClose}
    >
      <ListPanel
        listKey="instruction"
        route={instructionSet.instructions}
        params={{ id: of.id }}
        state={state}
        columns={columns}
        nameOf={(row) => row.name}
        filters={[
          { kind: 'text', name: 'keyword', label: '功能/命令字' },
          { kind: 'select', name: 'direction', label: '方向', options: direction.options },
        ]}
        rowActions={rowActions}
        emptyAction={add}
      />
      {editing && (
        <InstructionDialog
          setId={of.id}
          {...(editing === 'new' ? {} : { row: editing })}
          refresh={refresh}
          onClose={() => setEditing(undefined)}
        />
      )}
      {testing && <TestDialog setId={of.id} of={testing} onClose={() => setTesting(undefined)} />}
    </Drawer>
  )
}

type DialogProps = { setId: string; row?: Instruction; refresh: readonly AnyRoute[]; onClose: () => void }

function InstructionDialog({ setId, row, refresh, onClose }: DialogProps) {
  const common = { columns: 2 as const, size: 780 as const, refresh, onClose }
  if (row)
    return (
      <FormDialog
        {...common}
        title={`编辑指令：${row.name}`}
        route={instructionSet.editInstruction}
        initial={initialOf(row)}
        toBody={(values) => ({ ...values, instructionId: row.id }) as BodyOf<typeof instructionSet.editInstruction>}
      >
        <InstructionFields />
      </FormDialog>
    )
  return (
    <FormDialog
      {...common}
      title="新增指令"
      route={instructionSet.addInstruction}
      initial={{ direction: direction.code.down, timeoutS: 15, retries: 1 }}
      toBody={(values) => ({ ...values, instructionSetId: setId }) as BodyOf<typeof instructionSet.addInstruction>}
    >
      <InstructionFields />
    </FormDialog>
  )
}

const InstructionFields = () => (
  <>
    <Field name="name" label="功能">
      <Input autoComplete="off" />
    </Field>
    <Field name="commandWord" label="命令字" help="同一方向内不能重复">
      <Input autoComplete="off" placeholder="0x82" />
    </Field>
    <Field name="direction" label="方向" choose help="上行为设备上报，下行为平台下发">
      <Radio.Group options={direction.options} />
    </Field>
    <Field name="sort" label="排序" help="数字小的在前">
      <InputNumber min={0} max={9999} precision={0} placeholder="0" style={{ width: '100%' }} />
    </Field>
    <Field name="timeoutS" label="超时（秒）">
      <InputNumber min={1} max={600} precision={0} placeholder="15" style={{ width: '100%' }} />
    </Field>
    <Field name="retries" label="重试次数">
      <InputNumber min={0} max={10} precision={0} placeholder="1" style={{ width: '100%' }} />
    </Field>
    <Field name="params" label="参数" wide>
      <Input.TextArea autoSize={{ minRows: 2, maxRows: 6 }} placeholder="端口1, 时长2, 订单号16" />
    </Field>
  </>
)
