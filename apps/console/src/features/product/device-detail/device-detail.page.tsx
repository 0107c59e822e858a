import { DownOutlined } from '@ant-design/icons'
import { consumeOrder } from '@wattdeck/contract/order/consume-order.ts'
import { attributeSetting } from '@wattdeck/contract/product/attribute-setting.ts'
import { deviceCommand, deviceOperation } from '@wattdeck/contract/product/device-command.ts'
import { type DeviceDetail, deviceDetail } from '@wattdeck/contract/product/device-detail.ts'
import { Button, Tabs } from 'antd'
import { useEffect, useEffectEvent } from 'react'
import { Link, useNavigate } from 'react-router'
import { useSearch } from '../../../kit/routing/use-search.ts'
import { Can } from '../../../kit/api/Can.tsx'
import { CopyId } from '../../../kit/display/CopyId.tsx'
import { subscribeLive } from '../../../kit/live/live-bus.ts'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { MenuButton } from '../../../kit/display/MenuButton.tsx'
import { OwnerPath } from '../../../kit/objects/OwnerPath.tsx'
import { useTabTitle } from '../../../kit/routing/tab-titles.ts'
import { PageFrame } from '../../../kit/display/PageFrame.tsx'
import { queryClient, refetchRoutes, routeKey, useDetail } from '../../../kit/api/queries.ts'
import { mayCall } from '../../../kit/api/rights.ts'
import { EmptyPane, States } from '../../../kit/display/States.tsx'
import { toast } from '../../../kit/display/toasts.ts'
import { useNarrow } from '../../../kit/display/use-narrow.ts'
import { useUser } from '../../../kit/api/user.ts'
import { useOperations } from '../device-command/device-command.operations.ts'
import { OnlineDot } from '../../../kit/devices/device-cells.tsx'
// Not lazy: a page without a list would split the shared list chunks further, for every page.
import { DeviceJournal } from './device-detail.journal.tsx'
import { DeviceOverview } from './device-detail.overview.tsx'
import { subscribeDevices, patchedDetail } from '../../../kit/devices/device-live.ts'

const DeviceAlarms = lazyPart(async () => (await import('./device-detail.alarms.tsx')).DeviceAlarms)
const DeviceCurve = lazyPart(async () => (await import('./device-detail.curve.tsx')).DeviceCurve)
const DeviceEvents = lazyPart(async () => (await import('./device-detail.events.tsx')).DeviceEvents)
const DeviceCommands = lazyPart(async () => (await import('../device-command/device-command.list.tsx')).DeviceCommands)
const DeviceOperations = lazyPart(async () => (await import('./device-detail.operations.tsx')).DeviceOperations)
const DeviceOrders = lazyPart(async () => (await import('./device-detail.orders.tsx')).DeviceOrders)
const DeviceMap = lazyPart(async () => (await import('./device-detail.map.tsx')).DeviceMap)

const listPath = '/product/deviceManage'

/** One device, by the id in the URL, so a shared link shows the same. */
export default function DeviceDetailPage() {
  const [search, setSearch] = useSearch()
  const id = search.get('id') ?? ''
  if (!/^[1-9]\d{0,17}$/.test(id))
    return (
      <PageFrame title="设备详情">
        <section className="panel">
          <EmptyPane
            filtered={false}
            text="请在设备管理中选择要查看的设备"
            action={
              <Link to={listPath}>
                <Button type="primary">前往设备管理</Button>
              </Link>
            }
          />
        </section>
      </PageFrame>
    )
  const onTab = (tab: string) => setSearch({ id, ...(tab === 'overview' ? {} : { tab }) }, { replace: true })
  return <DeviceFrame key={id} id={id} tab={search.get('tab') ?? 'overview'} onTab={onTab} />
}

function useLiveDevice(id: string) {
  const device = useDetail(deviceDetail.read, { params: { id } })
  useEffect(() => {
    const deafToDevice = subscribeDevices([id], (patches) => {
      const patch = patches.find((one) => one.id === id)
      if (patch === undefined) return
      queryClient.setQueryData<DeviceDetail>(
        routeKey(deviceDetail.read, { id }),
        (cached) => cached && patchedDetail(cached, patch),
      )
    })
    // The stream was interrupted, or a device was changed: refetch missed updates.
    const deaf = subscribeLive((event) => {
      if (event.kind === 'hello' || (event.kind === 'changed' && event.list === 'device'))
        void refetchRoutes([deviceDetail.read])
    })
    return () => {
      deaf()
      deafToDevice()
    }
  }, [id])
  return device
}

type FrameProps = { id: string; tab: string; onTab: (tab: string) => void }

function DeviceFrame({ id, tab, onTab }: FrameProps) {
  const narrow = useNarrow()
  const user = useUser()
  const device = useLiveDevice(id)
  useTabTitle(device.data && `设备 ${device.data.name}`)
  return (
    <PageFrame
      title={device.data?.name ?? '设备详情'}
      note={device.data && <DeviceHead device={device.data} />}
      actions={
        <>
          {device.data && <Operations device={device.data} />}
          <Link to={listPath}>
            <Button>返回列表</Button>
          </Link>
        </>
      }
    >
      <States query={device} rows={10}>
        {(data) => (
          <Tabs
            className="device-tabs"
            tabBarGutter={narrow ? 0 : 32}
            activeKey={tab}
            onChange={onTab}
            destroyOnHidden
            items={[
              { key: 'overview', label: '概览', children: <DeviceOverview device={data} /> },
              { key: 'curve', label: narrow ? '曲线' : '功率曲线', children: <DeviceCurve device={data} /> },
              { key: 'commands', label: '指令', children: <DeviceCommands id={id} /> },
              { key: 'journal', label: narrow ? '日志' : '通信日志', children: <DeviceJournal device={data} /> },
              { key: 'alarms', label: '告警', children: <DeviceAlarms device={data} /> },
              ...(mayCall(user, consumeOrder.ofDevice.access)
                ? [{ key: 'orders', label: '订单', children: <DeviceOrders id={id} /> }]
                : []),
              { key: 'events', label: '事件', children: <DeviceEvents id={id} /> },
              {
                key: 'operations',
                label: narrow ? '操作' : '操作记录',
                children: <DeviceOperations id={id} />,
              },
              { key: 'map', label: '位置', children: <DeviceMap device={data} /> },
            ]}
          />
        )}
      </States>
    </PageFrame>
  )
}

/** The command palette links here with an operation, which is confirmed as if its button was clicked. */
function useLinkedOperation(actions: ReturnType<ReturnType<typeof useOperations>>) {
  const user = useUser()
  const [search, setSearch] = useSearch()
  const operationParam = search.get('operation')
  const ask = useEffectEvent((operation: string) => {
    setSearch(
      (now) => {
        now.delete('operation')
        return now
      },
      { replace: true },
    )
    const action = actions.find(({ label }) => label === operationLabel(operation))
    if (action === undefined || !mayCall(user, deviceCommand.operate.access)) return
    if (action.disabled === undefined) action.onClick()
    else toast('warning', action.disabled)
  })
  useEffect(() => {
    if (operationParam !== null) ask(operationParam)
  }, [operationParam])
}
const operationLabel = (code: string) => deviceOperation.options.find(({ value }) => String(value) === code)?.label

function Operations({ device }: { device: DeviceDetail }) {
  const user = useUser()
  const actions = useOperations()(device)
  useLinkedOperation(actions)
  const navigate = useNavigate()
  const entries = mayCall(user, attributeSetting.list.access)
    ? [...actions, { label: '属性设置', onClick: () => void navigate(`/product/attributeSetting?id=${device.id}`) }]
    : actions
  return (
    <Can route={deviceCommand.operate}>
      <MenuButton aria-label="操作设备" entries={entries}>
        操作 <DownOutlined />
      </MenuButton>
    </Can>
  )
}

const DeviceHead = ({ device }: { device: DeviceDetail }) => (
  <span className="device-head">
    <OnlineDot online={device.online} />
    <CopyId value={device.deviceNo} what="设备编号" />
    <span>{device.typeName}</span>
    <OwnerPath row={device} />
  </span>
)
