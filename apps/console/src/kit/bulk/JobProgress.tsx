import { type BatchJob, batchStatus } from '@wattdeck/contract/system/batch.ts'
import { Progress } from 'antd'
import { StatusTag } from '../display/StatusTag.tsx'
import { percentOf } from './use-job.ts'
import './bulk.css'

/** Progress of a job as a bar and as text. */
export function JobProgress({ job }: { job: BatchJob }) {
  const { total, done, failed, status, reason } = job
  const look = failed > 0 || status > batchStatus.code.partly ? 'exception' : 'normal'
  return (
    <div className="job-progress">
      <Progress percent={percentOf(job)} status={status === batchStatus.code.done ? 'success' : look} />
      <p aria-live="polite">
        <StatusTag of={batchStatus} value={status} /> 共 {total} 条，成功 {done} 条，失败 {failed} 条
        {reason !== null && `，${reason}`}
      </p>
    </div>
  )
}
