import { messageDirection, messageKind } from '@wattdeck/contract/product/device-codes.ts'
import { type DeviceDetail, deviceDetail, type DeviceMessage } from '@wattdeck/contract/product/device-detail.ts'
import { messageReplay } from '@wattdeck/contract/product/message-replay.ts'
import { Button, Descriptions, Drawer, Switch } from 'antd'
import { useEffect, useState } from 'react'
import { Can } from '../../../kit/api/Can.tsx'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { CopyId } from '../../../kit/display/CopyId.tsx'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { useLocalListState } from '../../../kit/list/list-state.ts'
import { ListPanel } from '../../../kit/list/ListPanel.tsx'
import { refetchRoutes } from '../../../kit/api/queries.ts'
import { useReturnFocus } from '../../../kit/form/use-return-focus.ts'
import { subscribeDevices } from '../../../kit/devices/device-live.ts'
import { contentText, kindText, labelledFields } from '../../../kit/display/message-labels.ts'
import '../_shared/product.css'

const ReplayDialog = lazyPart(
  async () => (await import('../message-replay/message-replay.start-dialog.tsx')).ReplayDialog,
)
const ReplayDrawer = lazyPart(
  async () => (await import('../message-replay/message-replay.result-drawer.tsx')).ReplayDrawer,
)
const ReplaysDrawer = lazyPart(
  async () => (await import('../message-replay/message-replay.list-drawer.tsx')).ReplaysDrawer,
)

const oneLine = (text: string) => (
  <span className="one-line" title={text}>
    {text}
  </span>
)
const columns: Column<DeviceMessage>[] = [
  { key: 'at', title: '时间', width: 170, render: (row) => cells.time(row.at) },
  {
    key: 'direction',
    title: '方向',
    width: 70,
    card: 'tag',
    render: (row) => cells.status(messageDirection, row.direction),
  },
  { key: 'kind', title: '指令', width: 100, render: (row) => kindText(row.kind) },
  { key: 'portNo', title: '端口', width: 60, render: (row) => cells.text(row.portNo) },
  { key: 'content', title: '解析', width: 420, render: (row) => oneLine(contentText(row.content)) },
  {
    key: 'frame',
    title: '报文',
    width: 260,
    render: (row) => (row.frame === null ? cells.dash : oneLine(spaced(row.frame))),
  },
]
/** '444e59' → '44 4e 59' */
const spaced = (hex: string) => hex.replaceAll(/(..)(?=.)/g, '$1 ')

/** All messages in both directions, with their meaning. */
export function DeviceJournal({ device }: { device: DeviceDetail }) {
  const { id } = device
  const state = useLocalListState(deviceDetail.messages)
  const [watching, setWatching] = useState(true)
  const [open, setOpen] = useState<DeviceMessage>()
  useReturnFocus(open !== undefined)
  useRereads(id, watching)
  return (
    <>
      <ListPanel
        listKey="device-message"
        route={deviceDetail.messages}
        params={{ id }}
        state={state}
        columns={columns}
        nameOf={(row) => `${row.at} ${kindText(row.kind)}`}
        filters={[
          { kind: 'select', name: 'kind', label: '指令', options: messageKind.options },
          { kind: 'select', name: 'direction', label: '方向', options: messageDirection.options },
          { kind: 'text', name: 'portNo', label: '端口号' },
          { kind: 'dates', from: 'from', to: 'to', label: '时间' },
        ]}
        toolbar={
          <>
            <Replays device={device} />
            <span className="watch-switch">
              <Switch size="small" aria-label="持续查看" checked={watching} onChange={setWatching} />
              <span aria-hidden>持续查看</span>
            </span>
          </>
        }
        rowActions={(row) => [{ label: '详情', onClick: () => setOpen(row) }]}
      />
      {open && <MessageDrawer message={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}

type Shown = { what: 'start' | 'list' } | { what: 'result'; id: string }

/** To investigate a complaint: replays the messages at a device of a test organisation. */
function Replays({ device }: { device: DeviceDetail }) {
  const [shown, setShown] = useState<Shown>()
  useReturnFocus(shown !== undefined)
  const close = () => setShown(undefined)
  const show = (id: string) => setShown({ what: 'result', id })
  return (
    <Can route={messageReplay.start}>
      <Button onClick={() => setShown({ what: 'start' })}>重放</Button>
      <Button onClick={() => setShown({ what: 'list' })}>重放记录</Button>
      {shown?.what === 'start' && (
        <ReplayDialog deviceId={device.id} deviceNo={device.deviceNo} onClose={close} onDone={show} />
      )}
      {shown?.what === 'list' && <ReplaysDrawer deviceId={device.id} onOpen={show} onClose={close} />}
      {shown?.what === 'result' && <ReplayDrawer id={shown.id} onClose={close} />}
    </Can>
  )
}

const leastMs = 2000

/** Refetches the page after messages of the device, at most every two seconds. */
function useRereads(id: string, watching: boolean) {
  useEffect(() => {
    if (!watching) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const deaf = subscribeDevices([id], () => {
      timer ??= setTimeout(() => {
        timer = undefined
        void refetchRoutes([deviceDetail.messages])
      }, leastMs)
    })
    return () => {
      clearTimeout(timer)
      deaf()
    }
  }, [id, watching])
}

function MessageDrawer({ message, onClose }: { message: DeviceMessage; onClose: () => void }) {
  const { at, direction, kind, content, frame } = message
  const fields = labelledFields(content)
  return (
    <Drawer open title={`${messageDirection.show(direction).label} ${kindText(kind)}`} size={680} onClose={onClose}>
      <Descriptions
        bordered
        size="small"
        column={1}
        items={[
          { key: 'at', label: '时间', children: cells.time(at) },
          ...fields.map(({ key, label, value }) => ({ key, label, children: value })),
          ...(frame === null
            ? []
            : [
                {
                  key: 'frame',
                  label: '报文',
                  children: (
                    <span className="frame-hex">
                      <CopyId value={spaced(frame)} what="报文" />
                    </span>
                  ),
                },
              ]),
        ]}
      />
    </Drawer>
  )
}
