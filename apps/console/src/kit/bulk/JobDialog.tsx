import { batch, batchFlow } from '@wattdeck/contract/system/batch.ts'
import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { App, Button, Modal } from 'antd'
import { errorText } from '../api/error-handling.ts'
import { refetchRoutes } from '../api/queries.ts'
import { States } from '../display/States.tsx'
import { useSubmit } from '../form/use-submit.ts'
import { FailedRows } from './FailedRows.tsx'
import { saveFailures } from './failures.ts'
import { JobProgress } from './JobProgress.tsx'
import { useJob } from './use-job.ts'
import { dialogWidth } from '../form/dialog-width.ts'

type Props = { jobId: string; onClose: () => void; refresh?: readonly AnyRoute[] }

const nothing: readonly AnyRoute[] = []

/** Progress of a batch job. The job continues after the dialog closes; download management lists it, too. */
export function JobDialog({ jobId, onClose, refresh = nothing }: Props) {
  const { message } = App.useApp()
  const query = useJob(jobId, () => void refetchRoutes([...refresh, batch.items]))
  const again = { refresh: [batch.detail, batch.items, batch.list], feedback: 'silent' as const }
  const retry = useSubmit(batch.retry, again)
  const cancel = useSubmit(batch.cancel, again)
  const job = query.data
  const input = { body: { id: jobId } }
  return (
    <Modal
      open
      width={dialogWidth.l}
      title={job?.title ?? '批量任务'}
      onCancel={onClose}
      mask={{ closable: false }}
      footer={
        job && (
          <>
            {job.failed > 0 && (
              <Button
                onClick={() =>
                  void saveFailures(jobId, job.title).catch((error: unknown) => void message.error(errorText(error)))
                }
              >
                下载失败明细
              </Button>
            )}
            {batchFlow.can('retry', job.status) && (
              <Button loading={retry.pending} onClick={() => void retry.run(input)}>
                {job.failed > 0 ? '重试失败的行' : '继续执行'}
              </Button>
            )}
            {batchFlow.can('cancel', job.status) && (
              <Button danger loading={cancel.pending} onClick={() => void cancel.run(input)}>
                取消任务
              </Button>
            )}
            <Button type="primary" onClick={onClose}>
              {batchFlow.can('cancel', job.status) ? '后台运行' : '关闭'}
            </Button>
          </>
        )
      }
    >
      <States query={query} rows={3}>
        {(data) => (
          <>
            <JobProgress job={data} />
            {data.failed > 0 && <FailedRows jobId={jobId} />}
          </>
        )}
      </States>
    </Modal>
  )
}
