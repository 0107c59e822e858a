import { DownloadOutlined } from '@ant-design/icons'
import { chargingOrder, type OrderDetail } from '@wattdeck/contract/order/charging-order.ts'
import { orderStatus } from '@wattdeck/contract/order/order-codes.ts'
import { orderReview } from '@wattdeck/contract/order/order-review.ts'
import { refundOrder } from '@wattdeck/contract/order/refund-order.ts'
import { unfinishedOrder } from '@wattdeck/contract/order/unfinished-order.ts'
import { Button, Tabs } from 'antd'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { useSearch } from '../../../kit/routing/use-search.ts'
import { Can } from '../../../kit/api/Can.tsx'
import { CopyId } from '../../../kit/display/CopyId.tsx'
import { errorText } from '../../../kit/api/error-handling.ts'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { subscribeLive } from '../../../kit/live/live-bus.ts'
import { ObjectLink } from '../../../kit/objects/ObjectLink.tsx'
import { OwnerPath } from '../../../kit/objects/OwnerPath.tsx'
import { useTabTitle } from '../../../kit/routing/tab-titles.ts'
import { PageFrame } from '../../../kit/display/PageFrame.tsx'
import { refetchRoutes, useDetail } from '../../../kit/api/queries.ts'
import { ReasonButton } from '../../../kit/form/ReasonButton.tsx'
import { mayCall } from '../../../kit/api/rights.ts'
import { saveFile } from '../../../kit/api/save-file.ts'
import { EmptyPane, States } from '../../../kit/display/States.tsx'
import { StatusTag } from '../../../kit/display/StatusTag.tsx'
import { toast } from '../../../kit/display/toasts.ts'
import { useNarrow } from '../../../kit/display/use-narrow.ts'
import { useUser } from '../../../kit/api/user.ts'
import { OrderMessages } from './charging-order.messages.tsx'
import { OrderOverview } from './charging-order.overview.tsx'
import { watchPort } from '../_shared/order-live.ts'
import { useOpenActions } from '../unfinished-order/unfinished-order.actions.ts'
import { useAskRefund } from '../_shared/use-ask-refund.tsx'
import { useOpen } from '../../../kit/form/use-return-focus.ts'
import '../_shared/order.css'

const OrderMoney = lazyPart(async () => (await import('./charging-order.money.tsx')).OrderMoney)
const OrderCommands = lazyPart(async () => (await import('./charging-order.commands.tsx')).OrderCommands)
const SettleDialog = lazyPart(
  async () => (await import('../unfinished-order/unfinished-order.settle-dialog.tsx')).SettleDialog,
)
const DecideDialog = lazyPart(async () => (await import('../order-review/order-review.decide-dialog.tsx')).DecideDialog)

const listPath = '/order/consumeOrder'

/** One order, by the id in the URL, so a shared link shows the same. */
export default function ChargingOrderPage() {
  const [search, setSearch] = useSearch()
  const id = search.get('id') ?? ''
  if (!/^[1-9]\d{0,17}$/.test(id))
    return (
      <PageFrame title="订单详情">
        <section className="panel">
          <EmptyPane
            filtered={false}
            text="请在消费订单中选择要查看的订单"
            action={
              <Link to={listPath}>
                <Button type="primary">前往消费订单</Button>
              </Link>
            }
          />
        </section>
      </PageFrame>
    )
  const onTab = (tab: string) => setSearch({ id, ...(tab === 'overview' ? {} : { tab }) }, { replace: true })
  return <OrderFrame key={id} id={id} tab={search.get('tab') ?? 'overview'} onTab={onTab} />
}

function OrderFrame({ id, tab, onTab }: { id: string; tab: string; onTab: (tab: string) => void }) {
  const narrow = useNarrow()
  const order = useDetail(chargingOrder.read, { params: { id } })
  useEffect(
    () =>
      subscribeLive((event) => {
        if (event.kind === 'hello' || (event.kind === 'changed' && event.list === 'order'))
          void refetchRoutes([chargingOrder.read, chargingOrder.curve, chargingOrder.postings])
      }),
    [],
  )
  useGrowing(order.data)
  useTabTitle(`订单 …${id.slice(-6)}`)
  return (
    <PageFrame
      title="订单详情"
      note={order.data && <OrderHead order={order.data} />}
      actions={order.data && <OrderActions order={order.data} />}
    >
      <States query={order} rows={10}>
        {(data) => (
          <Tabs
            tabBarGutter={narrow ? 12 : 32}
            activeKey={tab}
            onChange={onTab}
            destroyOnHidden
            items={[
              { key: 'overview', label: '概览', children: <OrderOverview order={data} /> },
              { key: 'money', label: '资金', children: <OrderMoney id={id} /> },
              { key: 'messages', label: '报文', children: <OrderMessages id={id} /> },
              { key: 'commands', label: '指令', children: <OrderCommands id={id} /> },
            ]}
          />
        )}
      </States>
    </PageFrame>
  )
}

/** Refetches figures and curve on reports of the device, while the order is charging. */
function useGrowing(order: OrderDetail | undefined): void {
  const { deviceId, portNo, status } = order ?? {}
  useEffect(() => {
    if (deviceId === undefined || portNo === undefined || status !== orderStatus.code.charging) return undefined
    return watchPort({ deviceId, portNo }, () => void refetchRoutes([chargingOrder.read, chargingOrder.curve]))
  }, [deviceId, portNo, status])
}

const OrderHead = ({ order }: { order: OrderDetail }) => (
  <span className="order-head">
    <StatusTag of={orderStatus} value={order.status} />
    <CopyId value={order.id} what="订单号" />
    <span>
      <ObjectLink kind="device" id={order.deviceId}>
        {order.deviceNo}
      </ObjectLink>{' '}
      ·{' '}
      <ObjectLink kind="port" id={`${order.deviceId}/${order.portNo}`}>
        {order.portNo} 号端口
      </ObjectLink>
    </span>
    <OwnerPath row={order} />
  </span>
)

function OrderActions({ order }: { order: OrderDetail }) {
  const { id, status } = order
  const user = useUser()
  const [open, setOpen, close] = useOpen<'settle' | 'decide'>()
  const [saving, setSaving] = useState(false)
  const openActions = useOpenActions()
  const refund = useAskRefund()
  const asking = refund.action(order)
  const { starting, charging, review, billed } = orderStatus.code

  async function save() {
    setSaving(true)
    await saveFile(chargingOrder.evidence, { body: { id, clear: undefined } }).catch((error: unknown) =>
      toast('error', errorText(error)),
    )
    setSaving(false)
  }
  return (
    <>
      {(status === starting || status === charging) &&
        openActions(order, order.online)
          .filter(({ route }) => route === undefined || mayCall(user, route.access))
          .map(({ label, disabled, onClick }) => (
            <ReasonButton key={label} reason={disabled} onClick={onClick}>
              {label}
            </ReasonButton>
          ))}
      {status === charging && (
        <Can route={unfinishedOrder.settle}>
          <Button danger onClick={() => setOpen('settle')}>
            强制结算
          </Button>
        </Can>
      )}
      {status === review && (
        <Can route={orderReview.decide}>
          <Button type="primary" onClick={() => setOpen('decide')}>
            复核
          </Button>
        </Can>
      )}
      {status === billed && (
        <Can route={refundOrder.add}>
          <ReasonButton reason={asking.disabled} onClick={asking.onClick}>
            退款
          </ReasonButton>
        </Can>
      )}
      <Can route={chargingOrder.evidence}>
        <Button icon={<DownloadOutlined />} loading={saving} onClick={() => void save()}>
          举证材料
        </Button>
      </Can>
      <Link to={listPath}>
        <Button>返回列表</Button>
      </Link>
      {refund.dialog}
      {open === 'settle' && <SettleDialog id={id} onClose={close} />}
      {open === 'decide' && <DecideDialog id={id} onClose={close} />}
    </>
  )
}
