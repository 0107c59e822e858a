import {
  payProvider,
  payPurpose,
  payRefundPurpose,
  payRefundStatus,
  payStatus,
  payWay,
} from '@wattdeck/contract/accounting/pay-codes.ts'
import { noticeState, payOrder, type PayOrderDetail } from '@wattdeck/contract/order/pay-order.ts'
import { Alert, Button, Descriptions, Drawer, Timeline } from 'antd'
import type { ReactNode } from 'react'
import { Can } from '../../../kit/api/Can.tsx'
import * as cells from '../../../kit/display/cells.tsx'
import { CopyId } from '../../../kit/display/CopyId.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import { OwnerPath } from '../../../kit/objects/OwnerPath.tsx'
import { objectOfNumber } from '../../../kit/objects/object-types.ts'
import { States } from '../../../kit/display/States.tsx'
import { useNarrow } from '../../../kit/display/use-narrow.ts'
import { useSubmit } from '../../../kit/form/use-submit.ts'
import * as shown from '../_shared/order-cells.tsx'
import '../_shared/order.css'

/** One payment: its request, the notices of the provider, and its refunds. */
export function PayDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const narrow = useNarrow()
  const pay = useDetail(payOrder.detail, { params: { id } })
  const sync = useSubmit(payOrder.sync, { refresh: [payOrder.list, payOrder.detail] })
  return (
    <Drawer
      open
      title={pay.data ? `支付单：${pay.data.payNo}` : '支付单详情'}
      size={narrow ? '100%' : 780}
      onClose={onClose}
      extra={
        <Can route={payOrder.sync}>
          <Button loading={sync.pending} onClick={() => void sync.run({ body: { id } })}>
            查单同步
          </Button>
        </Can>
      }
    >
      <States query={pay} rows={8}>
        {(data) => (
          <div className="order-sections">
            <Problems pay={data} />
            <Facts pay={data} />
            <Section title="时间线">
              <Timeline
                items={momentsOf(data).map(({ at, what }) => ({
                  key: `${at}${what}`,
                  content: <Moment at={at} what={what} />,
                }))}
              />
            </Section>
            <Section title="渠道通知">
              <Notices pay={data} />
            </Section>
            <Section title="退款">
              <Refunds pay={data} />
            </Section>
          </div>
        )}
      </States>
    </Drawer>
  )
}

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section>
    <h3>{title}</h3>
    {children}
  </section>
)

/** Problems that need attention come first. */
function Problems({ pay }: { pay: PayOrderDetail }) {
  const texts = [
    ...(pay.failure === null ? [] : [pay.failure]),
    ...pay.notices.flatMap(({ problem }) => problem ?? []),
    ...(pay.late ? ['关闭后收到付款，款项已自动原路退回'] : []),
  ]
  return texts.map((text) => <Alert key={text} type="warning" showIcon title={text} />)
}

const fact = (key: string, label: string, children: ReactNode) => ({ key, label, children })

function Facts({ pay }: { pay: PayOrderDetail }) {
  return (
    <Descriptions
      bordered
      size="small"
      column={{ xs: 1, sm: 2 }}
      items={[
        fact('status', '支付状态', cells.status(payStatus, pay.status)),
        fact('amount', '支付金额', shown.yuan(pay.amount)),
        fact('purpose', '业务类型', cells.label(payPurpose, pay.purpose)),
        fact('way', '支付方式', `${payProvider.show(pay.provider).label} ${payWay.show(pay.way).label}`),
        fact('fee', '手续费', shown.yuan(pay.fee)),
        fact('refunded', '已退金额', shown.yuan(pay.refunded)),
        fact('merchant', '商户', `${pay.merchantName} ${pay.merchantNo}`),
        fact('member', '用户', shown.member(pay)),
        fact(
          'ref',
          '订单号',
          pay.refNo === null ? cells.dash : <CopyId value={pay.refNo} what="订单号" object={refOf(pay)} />,
        ),
        fact(
          'transaction',
          '渠道流水号',
          pay.transactionId === null ? cells.dash : <CopyId value={pay.transactionId} what="渠道流水号" />,
        ),
        { ...fact('place', '归属', <OwnerPath row={pay} />), span: 'filled' },
      ]}
    />
  )
}

const refOf = ({ refNo, rechargeId }: PayOrderDetail) =>
  rechargeId === null ? objectOfNumber(refNo ?? '') : { kind: 'recharge' as const, id: rechargeId }

type Step = { at: string; what: string }
function momentsOf(pay: PayOrderDetail): Step[] {
  const step = (at: string | null, what: string): Step[] => (at === null ? [] : [{ at, what }])
  return [
    ...step(pay.createdAt, '下单'),
    ...step(pay.sentAt, '渠道已受理'),
    ...step(pay.closedAt, '关闭'),
    ...step(pay.paidAt, `支付成功 ${shown.yuan(pay.amount)}`),
    ...pay.refunds.flatMap((refund) => [
      ...step(refund.createdAt, `发起退款 ${shown.yuan(refund.amount)}`),
      ...step(refund.arrivedAt, `退款到账 ${shown.yuan(refund.amount)}`),
    ]),
    ...(pay.status === payStatus.code.unpaid ? step(pay.expiresAt, '支付截止') : []),
    ...step(pay.lookAt, '下次查单'),
  ].toSorted((a, b) => a.at.localeCompare(b.at))
}

const Moment = ({ at, what }: Step) => (
  <>
    {what} <span className="meta">{at}</span>
  </>
)

function Notices({ pay }: { pay: PayOrderDetail }) {
  if (pay.notices.length === 0) return <p className="meta">尚未收到渠道通知</p>
  return (
    <table className="order-table">
      <thead>
        <tr>
          <th>收到时间</th>
          <th>内容</th>
          <th>状态</th>
          <th>次数</th>
        </tr>
      </thead>
      <tbody>
        {pay.notices.map((notice) => (
          <tr key={notice.noticeId}>
            <td>{cells.time(notice.receivedAt)}</td>
            <td>{notice.kind === 1 ? '支付' : '退款'}</td>
            <td>{cells.status(noticeState, notice.status)}</td>
            <td>{notice.copies}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Refunds({ pay }: { pay: PayOrderDetail }) {
  if (pay.refunds.length === 0) return <p className="meta">没有退款</p>
  return (
    <table className="order-table">
      <thead>
        <tr>
          <th>退款单号</th>
          <th>原因</th>
          <th>金额</th>
          <th>状态</th>
        </tr>
      </thead>
      <tbody>
        {pay.refunds.map((refund) => (
          <tr key={refund.refundNo}>
            <td>{refund.refundNo}</td>
            <td>
              {payRefundPurpose.show(refund.purpose).label}
              {refund.words !== null && <div className="meta">{refund.words}</div>}
            </td>
            <td>{shown.yuan(refund.amount)}</td>
            <td>{cells.status(payRefundStatus, refund.status)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
