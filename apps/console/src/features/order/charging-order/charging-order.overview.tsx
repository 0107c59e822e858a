import type { OrderDetail } from '@wattdeck/contract/order/charging-order.ts'
import { chargeLimit, reviewReason, startMode } from '@wattdeck/contract/order/order-codes.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { Alert, Descriptions } from 'antd'
import * as cells from '../../../kit/display/cells.tsx'
import { CopyId } from '../../../kit/display/CopyId.tsx'
import { ObjectLink } from '../../../kit/objects/ObjectLink.tsx'
import { OrderCurve } from './charging-order.curve.tsx'
import { Explanation } from '../_shared/Explanation.tsx'
import * as shown from '../_shared/order-cells.tsx'

const columns = { xs: 1, sm: 2, lg: 3 }
const fact = (key: string, label: string, children: React.ReactNode) => ({ key, label, children })

function limitText({ limitBy, limitValue }: OrderDetail): string {
  const { label } = chargeLimit.show(limitBy)
  const { money, minutes, energy } = chargeLimit.code
  if (limitBy === money) return `${label} ¥${yuanText(BigInt(limitValue))}`
  if (limitBy === minutes) return `${label} ${limitValue} 分钟`
  return limitBy === energy ? `${label} ${limitValue / 10_000} kWh` : label
}

const facts = (order: OrderDetail) => [
  fact('member', '用户', shown.member(order)),
  fact(
    'device',
    '设备',
    <ObjectLink kind="device" id={order.deviceId}>
      {order.deviceName ?? order.deviceNo}
    </ObjectLink>,
  ),
  fact(
    'site',
    '站点',
    <ObjectLink kind="site" id={order.siteName === null ? null : order.siteId}>
      {cells.text(order.siteName)}
    </ObjectLink>,
  ),
  fact('type', '设备类型', order.typeName),
  fact('mode', '启动方式', cells.label(startMode, order.startMode)),
  fact('limit', '充电方式', limitText(order)),
  fact('held', '预付金额', shown.yuan(order.held)),
  fact('created', '下单时间', cells.time(order.createdAt)),
  fact('started', '开始时间', cells.time(order.startedAt)),
  fact('ended', '结束时间', cells.time(order.endedAt)),
  fact('duration', '充电时长', shown.duration(order.durationS)),
  fact('energy', '电量（kWh）', shown.energy(order.energyDwh)),
  fact('peak', '峰值功率（W）', shown.watts(order.peakPowerDw)),
  fact('reason', '结束原因', cells.text(order.stopReason)),
  fact('settled', '结算时间', cells.time(order.settledAt)),
  fact('wire', '设备订单号', <CopyId value={order.wireNo} what="设备订单号" />),
]

const amounts = (order: OrderDetail) => [
  fact('total', '应收', <strong>{shown.yuan(order.total)}</strong>),
  ...(order.discount === '0.00' ? [] : [fact('discount', '优惠', shown.yuan(order.discount))]),
  fact('electricity', '电费', shown.yuan(order.electricity)),
  fact('service', '服务费', shown.yuan(order.service)),
  fact('occupancy', '占位费', shown.yuan(order.occupancy)),
  fact('paid', '充值支付', shown.yuan(order.paid)),
  fact('gift', '赠送抵扣', shown.yuan(order.gift)),
  fact('refunded', '退款', shown.yuan(order.refunded)),
  ...(order.refunding === '0.00' ? [] : [fact('refunding', '退款中', shown.yuan(order.refunding))]),
  fact(
    'tariff',
    '消费标准',
    order.tariffName === null ? (
      cells.dash
    ) : (
      <ObjectLink kind="tariff" id={order.tariffId}>
        {`${order.tariffName}（第 ${order.tariffNo ?? 1} 版）`}
      </ObjectLink>
    ),
  ),
]

/** The order, its price with the calculation, and its power curve. */
export function OrderOverview({ order }: { order: OrderDetail }) {
  return (
    <div className="order-sections">
      {order.reviewReasons.length > 0 && (
        <Alert
          type="warning"
          showIcon
          title={`复核原因：${order.reviewReasons.map((reason) => reviewReason.show(reason).label).join('、')}`}
        />
      )}
      {order.decidedBy !== null && (
        <Alert type="info" showIcon title={`由 ${order.decidedBy} 处理：${order.decision ?? ''}`} />
      )}
      <section className="panel order-section">
        <h2>订单信息</h2>
        <Descriptions size="small" column={columns} items={facts(order)} />
      </section>
      <section className="panel order-section">
        <h2>功率曲线</h2>
        <OrderCurve id={order.id} />
      </section>
      <section className="panel order-section">
        <h2>费用</h2>
        <Descriptions size="small" column={columns} items={amounts(order)} />
        {order.parts.length > 0 && <BillTable order={order} />}
      </section>
      {order.explanation.length > 0 && (
        <section className="panel order-section">
          <h2>为什么是这个价格</h2>
          <Explanation lines={order.explanation} />
          {order.tariffText !== null && order.tariffText !== '' && <p className="meta">价格公示：{order.tariffText}</p>}
        </section>
      )}
    </div>
  )
}

const BillTable = ({ order: { parts } }: { order: OrderDetail }) => (
  <div className="order-scroll">
    <table className="order-table">
      <thead>
        <tr>
          <th>项目</th>
          <th>数量</th>
          <th>单价</th>
          <th className="amount">金额（元，未舍入）</th>
        </tr>
      </thead>
      <tbody>
        {parts.map(({ label, quantity, unitPrice, amount }) => (
          <tr key={label}>
            <td>{label}</td>
            <td>{quantity}</td>
            <td>{unitPrice}</td>
            <td className="amount">{amount}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
