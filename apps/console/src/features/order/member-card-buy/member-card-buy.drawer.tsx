import { payProvider } from '@wattdeck/contract/accounting/pay-codes.ts'
import { type CardBuyDetail, memberCardBuy } from '@wattdeck/contract/order/member-card-buy.ts'
import { cardBuyStatus, passPhase, passUseState } from '@wattdeck/contract/order/member-card-codes.ts'
import { Descriptions, Drawer } from 'antd'
import type { ReactNode } from 'react'
import { useDetail } from '../../../kit/api/queries.ts'
import * as cells from '../../../kit/display/cells.tsx'
import { CopyId } from '../../../kit/display/CopyId.tsx'
import { States } from '../../../kit/display/States.tsx'
import { useNarrow } from '../../../kit/display/use-narrow.ts'
import { ObjectLink } from '../../../kit/objects/ObjectLink.tsx'
import { OwnerPath } from '../../../kit/objects/OwnerPath.tsx'
import * as shown from '../_shared/order-cells.tsx'
import '../_shared/order.css'

/** One purchase: the terms that were bought, the pass, its income and its uses. */
export function CardBuyDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const narrow = useNarrow()
  const buy = useDetail(memberCardBuy.detail, { params: { id } })
  return (
    <Drawer open title={`购卡订单：${id}`} size={narrow ? '100%' : 780} onClose={onClose}>
      <States query={buy} rows={8}>
        {(data) => (
          <div className="order-sections">
            <Section title="购买">
              <Purchase buy={data} />
            </Section>
            <Section title="权益">
              <Pass buy={data} />
            </Section>
            <Section title="使用记录">
              <Uses buy={data} />
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
const fact = (key: string, label: string, children: ReactNode) => ({ key, label, children })
type Props = { buy: CardBuyDetail }

const Purchase = ({ buy }: Props) => (
  <Descriptions
    bordered
    size="small"
    column={{ xs: 1, sm: 2 }}
    items={[
      fact('status', '状态', cells.status(cardBuyStatus, buy.status)),
      fact('amount', '售价', shown.yuan(buy.amount)),
      fact(
        'member',
        '用户',
        <ObjectLink kind="member" id={buy.memberId}>
          {cells.text(buy.memberName ?? buy.memberPhone)}
        </ObjectLink>,
      ),
      fact('paid', '实付', `${shown.yuan(buy.paid)} ${payProvider.show(buy.provider).label}`),
      fact(
        'payment',
        '支付单号',
        buy.payNo === null || buy.payOrderId === null ? (
          cells.dash
        ) : (
          <CopyId value={buy.payNo} what="支付单号" object={{ kind: 'payment', id: buy.payOrderId }} />
        ),
      ),
      fact('paidAt', '支付时间', cells.time(buy.paidAt)),
      { ...fact('place', '归属', <OwnerPath row={buy} />), span: 'filled' },
    ]}
  />
)

const Pass = ({ buy }: Props) => (
  <Descriptions
    bordered
    size="small"
    column={{ xs: 1, sm: 2 }}
    items={[
      fact('plan', '卡名称', `${buy.planName}（第${buy.versionNo}版）`),
      fact('phase', '使用状态', buy.phase === null ? cells.dash : cells.status(passPhase, buy.phase)),
      fact('use', '单次额度', buy.use),
      fact('times', '次数', buy.times),
      fact('validity', '有效期', buy.fromOn === null ? `${buy.days} 天` : `${buy.fromOn} 至 ${buy.toOn}`),
      fact('reach', '适用站点', buy.reach),
      fact('earned', '已确认收入', shown.yuan(buy.earned)),
      fact('deferred', '待确认收入', shown.yuan(buy.deferred)),
    ]}
  />
)

function Uses({ buy }: Props) {
  if (buy.usesOfPass.length === 0) return <p className="meta">还没有使用过</p>
  return (
    <table className="order-table">
      <thead>
        <tr>
          <th>订单号</th>
          <th>日期</th>
          <th>站点</th>
          <th>包月抵扣</th>
          <th>状态</th>
        </tr>
      </thead>
      <tbody>
        {buy.usesOfPass.map((use) => (
          <tr key={use.orderId}>
            <td>{shown.orderNo(use.orderId)}</td>
            <td>{use.usedOn}</td>
            <td>
              <ObjectLink kind="site" id={use.siteId}>
                {cells.text(use.siteName)}
              </ObjectLink>
            </td>
            <td>{shown.yuan(use.off)}</td>
            <td>{cells.status(passUseState, use.state)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
