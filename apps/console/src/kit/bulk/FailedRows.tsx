import { batch, type BatchItem, batchItemStatus } from '@wattdeck/contract/system/batch.ts'
import * as cells from '../display/cells.tsx'
import type { Column } from '../list/columns.ts'
import { useLocalListState } from '../list/list-state.ts'
import { ListPanel } from '../list/ListPanel.tsx'
import type { RowAction } from '../list/RowActions.tsx'

const columns: Column<BatchItem>[] = [
  { key: 'row', title: '行号', width: 80, fixed: 'start', render: (row) => row.id },
  { key: 'label', title: '名称', width: 200, render: (row) => cells.text(row.label) },
  { key: 'reason', title: '失败原因', render: (row) => cells.text(row.reason) },
]

type Props = { jobId: string; rowActions?: (row: BatchItem) => RowAction[] }

/** The failed rows of a job, with their reasons. */
export function FailedRows({ jobId, rowActions }: Props) {
  const state = useLocalListState(batch.items)
  const query = { ...state.query, status: batchItemStatus.code.failed }
  return (
    <ListPanel
      listKey="batch-failures"
      route={batch.items}
      params={{ id: jobId }}
      state={{ ...state, query }}
      columns={columns}
      nameOf={(row) => row.label || row.id}
      {...(rowActions ? { rowActions } : {})}
    />
  )
}
