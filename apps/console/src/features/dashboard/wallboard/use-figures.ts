import type { AnyRoute, BodyOf, DataOf } from '@wattdeck/contract/kit/route.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { queryClient } from '../../../kit/api/queries.ts'
import { type Changed, openHeartbeat } from './heartbeat.ts'
import { Pacer } from './pacer.ts'
import { useWallboardSource, type WallboardSource } from './source.ts'

/** Every panel is also refetched at this interval, without change events. */
const leastMs = 30_000
/** Minimum interval between fetches: short for live figures, longer for comparisons. */
const paces = { live: 1500, slow: 5000 } as const
type Pace = keyof typeof paces
type Reading = {
  /** The change events that affect it. */
  of: readonly Changed[]
  pace?: Pace
  enabled?: boolean
}
type WallboardMeta = { wallboard: true; of: readonly Changed[]; pace: Pace }

export type Figures<T> = {
  data: T | undefined
  /** Time of the last successful fetch in milliseconds; 0: never. */
  readAt: number
  /** The same when the latest fetch has failed. */
  staleSince: number | undefined
  waiting: boolean
}

/** Fails silently: the previous data stays, with its age. */
export function useFigures<R extends AnyRoute>(route: R, body: BodyOf<R>, reading: Reading): Figures<DataOf<R>> {
  const source = useWallboardSource()
  const { of, pace = 'live', enabled = true } = reading
  const query = useQuery({
    queryKey: ['wallboard', source.key, route.path, body],
    queryFn: ({ signal }) => source.read(route, body, signal),
    placeholderData: keepPreviousData,
    refetchInterval: leastMs,
    // Without a network the query must fail, so that the wallboard shows its data as stale.
    networkMode: 'always',
    gcTime: 60_000,
    enabled,
    meta: { wallboard: true, of, pace } satisfies WallboardMeta,
  })
  return {
    data: query.data as DataOf<R> | undefined,
    readAt: query.dataUpdatedAt,
    staleSince: query.isError ? query.dataUpdatedAt : undefined,
    waiting: query.isPending && enabled,
  }
}

/** Follows the stream while mounted and refetches the panels. Returns whether the stream is connected. */
export function useWallboardBeat(source: WallboardSource, onEnded: () => void): boolean {
  const [live, setLive] = useState(false)
  useEffect(() => {
    const pacers = (Object.keys(paces) as Pace[]).map(
      (pace) => new Pacer<Changed>(paces[pace], (kinds) => readAgain(pace, kinds)),
    )
    const close = openHeartbeat(source, {
      onChanged: (what) => {
        for (const pacer of pacers) pacer.publish(what)
      },
      onLive: setLive,
      onEnded,
    })
    return () => {
      close()
      for (const pacer of pacers) pacer.stop()
    }
  }, [source, onEnded])
  return live
}

function readAgain(pace: Pace, kinds: ReadonlySet<Changed>): boolean {
  const predicate = ({ meta }: { meta?: Record<string, unknown> | undefined }) => {
    const wallboard = meta as WallboardMeta | undefined
    return wallboard?.wallboard === true && wallboard.pace === pace && wallboard.of.some((kind) => kinds.has(kind))
  }
  // A pending reply may be older than the change, and a restart for each change might never complete.
  if (queryClient.isFetching({ predicate }) > 0) return false
  void queryClient.invalidateQueries({ predicate })
  return true
}
