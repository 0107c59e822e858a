import { batch, type BatchJob, batchStatus } from '@wattdeck/contract/system/batch.ts'
import { useEffect } from 'react'
import { hearLive } from '../live/live-bus.ts'
import { queryClient, routeKey, useDetail } from '../api/queries.ts'

const ended = (status: number) => status > batchStatus.code.running

/** A job as it is now: told by the live stream, and read every few seconds in case the stream is away. */
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
      hearLive((event) => {
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

/** How far it is, in whole percent; a job that has ended is through, whatever failed. */
export const percentOf = ({ total, done, failed }: Pick<BatchJob, 'total' | 'done' | 'failed'>) =>
  total === 0 ? 0 : Math.floor(((done + failed) / total) * 100)
