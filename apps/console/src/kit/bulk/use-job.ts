import { batch, type BatchJob, batchStatus } from '@wattdeck/contract/system/batch.ts'
import { useEffect } from 'react'
import { subscribeLive } from '../live/live-bus.ts'
import { queryClient, routeKey, useDetail } from '../api/queries.ts'

const ended = (status: number) => status > batchStatus.code.running

/** The state of a job: updated by the live stream, and polled every 3 s in case the stream is down. */
export function useJob(id: string, onEnd: (job: BatchJob) => void) {
  const read = useDetail(batch.detail, { query: { id } })
  const { data: job, refetch } = read
  const going = job === undefined || !ended(job.status)

  useEffect(() => {
    if (!going) return undefined
    const timer = setInterval(() => void refetch(), 3000)
    return () => clearInterval(timer)
  }, [going, refetch])

  useEffect(
    () =>
      subscribeLive((event) => {
        if (event.kind !== 'job' || event.job.id !== id) return
        const { total, done, failed, status } = event.job
        queryClient.setQueryData<BatchJob>(routeKey(batch.detail, undefined, { id }), (old) =>
          old === undefined ? old : { ...old, total, done, failed, status: status as BatchJob['status'] },
        )
      }),
    [id],
  )

  const status = job?.status
  useEffect(() => {
    if (job !== undefined && ended(job.status)) onEnd(job)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each end, not for each render of the caller
  }, [status])
  return read
}

/** Progress in whole percent; failed rows count as processed. A job whose rows are not counted yet has 0, a finished one 100. */
export function percentOf({ total, done, failed, status }: Pick<BatchJob, 'total' | 'done' | 'failed' | 'status'>) {
  if (total === 0) return status === batchStatus.code.done ? 100 : 0
  return Math.floor(((done + failed) / total) * 100)
}
