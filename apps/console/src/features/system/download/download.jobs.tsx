import { batch, type BatchJob, batchStatus } from '@wattdeck/contract/system/batch.ts'
import { useSearch } from '../../../kit/routing/use-search.ts'
import { JobDialog } from '../../../kit/bulk/JobDialog.tsx'
import { percentOf } from '../../../kit/bulk/use-job.ts'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { useLocalListState } from '../../../kit/list/list-state.ts'
import { ListPanel } from '../../../kit/list/ListPanel.tsx'

const columns: Column<BatchJob>[] = [
  { key: 'title', title: '任务名称', width: 180, fixed: 'start', render: (row) => row.title },
  { key: 'status', title: '状态', width: 100, card: 'tag', render: (row) => cells.status(batchStatus, row.status) },
  { key: 'module', title: '模块', width: 120, render: (row) => row.module },
  { key: 'progress', title: '进度', width: 90, align: 'end', render: (row) => `${percentOf(row)}%` },
  { key: 'total', title: '总行数', width: 100, align: 'end', render: (row) => cells.count(row.total) },
  { key: 'done', title: '成功', width: 90, align: 'end', render: (row) => cells.count(row.done) },
  { key: 'failed', title: '失败', width: 90, align: 'end', render: (row) => cells.count(row.failed) },
  { key: 'reason', title: '说明', render: (row) => cells.text(row.reason) },
  { key: 'createdAt', title: '提交时间', width: 180, render: (row) => cells.time(row.createdAt) },
  { key: 'finishedAt', title: '结束时间', width: 180, render: (row) => cells.time(row.finishedAt) },
]

export function DownloadJobs() {
  const state = useLocalListState(batch.list)
  const [params, setParams] = useSearch()
  const jobId = params.get('job')
  return (
    <>
      <ListPanel
        listKey="batch"
        route={batch.list}
        state={state}
        columns={columns}
        nameOf={(row) => row.title}
        filters={[{ kind: 'select', name: 'status', label: '状态', options: batchStatus.options }]}
        rowActions={(row) => [{ label: '查看', onClick: () => setParams({ tab: 'batch', job: row.id }) }]}
      />
      {jobId !== null && /^\d+$/.test(jobId) && (
        <JobDialog jobId={jobId} refresh={[batch.list]} onClose={() => setParams({ tab: 'batch' })} />
      )}
    </>
  )
}
