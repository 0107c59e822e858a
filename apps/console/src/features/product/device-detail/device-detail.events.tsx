import { deviceEventKind } from '@wattdeck/contract/product/device-codes.ts'
import { deviceDetail, type DeviceEvent } from '@wattdeck/contract/product/device-detail.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Button, Select } from 'antd'
import { useEffect, useState } from 'react'
import { call } from '../../../kit/api/api.ts'
import * as cells from '../../../kit/display/cells.tsx'
import { refetchRoutes } from '../../../kit/api/queries.ts'
import { EmptyPane, States } from '../../../kit/display/States.tsx'
import { subscribeDevices } from '../../../kit/devices/device-live.ts'
import { eventText } from '../../../kit/display/message-labels.ts'
import '../_shared/product.css'

type Kind = (typeof deviceEventKind.options)[number]['value']
const kinds = new Map<string, Kind>(deviceEventKind.options.map(({ value }) => [value, value]))
const pageSize = 30
const leastMs = 3000

/** Events of the device, newest first. */
export function DeviceEvents({ id }: { id: string }) {
  const [kind, setKind] = useState<Kind>()
  const read = useInfiniteQuery({
    queryKey: [deviceDetail.events.path, { id }, kind ?? ''],
    queryFn: async ({ pageParam: { pageNum, cursor }, signal }) => {
      const query = { pageNum, pageSize, skipCount: true, ...(cursor ? { cursor } : {}), ...(kind ? { kind } : {}) }
      return (await call(deviceDetail.events, { params: { id }, query, signal })).data
    },
    initialPageParam: { pageNum: 1, cursor: '' },
    getNextPageParam: ({ cursor }, pages) => (cursor === null ? undefined : { pageNum: pages.length + 1, cursor }),
  })
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const deaf = subscribeDevices([id], () => {
      timer ??= setTimeout(() => {
        timer = undefined
        void refetchRoutes([deviceDetail.events])
      }, leastMs)
    })
    return () => {
      clearTimeout(timer)
      deaf()
    }
  }, [id])
  const events = read.data?.pages.flatMap((page) => page.rows)
  return (
    <section className="panel device-section">
      <Select
        className="filter-select"
        aria-label="事件类型"
        placeholder="事件类型"
        allowClear
        value={kind}
        onChange={(next?: Kind) => setKind(next)}
        options={deviceEventKind.options}
      />
      <States query={{ data: events, error: read.error, refetch: read.refetch }} rows={8}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyPane filtered={kind !== undefined} onClear={() => setKind(undefined)} />
          ) : (
            <ol className="event-line">
              {rows.map((event) => (
                <EventEntry key={event.id} event={event} />
              ))}
            </ol>
          )
        }
      </States>
      {read.hasNextPage && (
        <Button loading={read.isFetchingNextPage} onClick={() => void read.fetchNextPage()}>
          更早的事件
        </Button>
      )}
    </section>
  )
}

function EventEntry({ event }: { event: DeviceEvent }) {
  const code = kinds.get(event.kind)
  const { label, tone = 'off' } = code ? deviceEventKind.show(code) : { label: event.kind }
  const text = eventText(event.detail)
  return (
    <li data-tone={tone}>
      <span className="meta">{cells.time(event.at)}</span>
      <strong>{label}</strong>
      {event.portNo !== null && <span>{event.portNo} 号端口</span>}
      {text !== '' && <span>{text}</span>}
    </li>
  )
}
