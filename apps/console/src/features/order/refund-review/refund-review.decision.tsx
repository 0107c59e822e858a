import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { payerText } from '@wattdeck/contract/order/order-row.ts'
import { refundWay } from '@wattdeck/contract/order/refund-codes.ts'
import { refundOrder, type RefundOrder } from '@wattdeck/contract/order/refund-order.ts'
import { Button, Descriptions, Input } from 'antd'
import { useEffect, useEffectEvent, useState } from 'react'
import { type Consequence, ConsequenceNote } from '../../../kit/form/Consequence.tsx'
import { Field } from '../../../kit/form/Field.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { refetchRoutes } from '../../../kit/api/queries.ts'
import { useConfirmSheet } from '../../../kit/form/confirm-sheet.tsx'
import { useReturnFocus } from '../../../kit/form/use-return-focus.ts'
import * as shown from '../_shared/order-cells.tsx'

type Props = { row: RefundOrder; onPassed: () => void }
const typing = 'input, textarea, select, [role=combobox], [role=dialog]'
const refresh = [refundOrder.list]

/** The request with both decisions. The keys A and D only open the confirmation; S skips to the next request. */
export function RefundDecision({ row, onPassed }: Props) {
  const [isDeclining, setDeclining] = useState(false)
  useReturnFocus(isDeclining)
  const approve = useConfirmSheet(refundOrder.approve, {
    refresh,
    onDone: onPassed,
    // Another person may have decided in the meantime.
    onFailed: () => void refetchRoutes(refresh),
  })
  const askApproval = () =>
    approve({ title: '通过这笔退款？', okText: '通过并退款', ...approval(row) }, { body: { id: row.id } })
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { target, key, ctrlKey, metaKey, altKey, repeat } = event
    if (
      ctrlKey ||
      metaKey ||
      altKey ||
      repeat ||
      document.querySelector('.ant-modal [role=dialog], .ant-modal[role=dialog]') !== null
    )
      return
    if (target instanceof HTMLElement && target.closest(typing) !== null) return
    const act: Record<string, () => void> = { a: askApproval, d: () => setDeclining(true), s: onPassed }
    const chosen = act[key.toLowerCase()]
    if (chosen === undefined) return
    event.preventDefault()
    chosen()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    globalThis.addEventListener('keydown', listen)
    return () => globalThis.removeEventListener('keydown', listen)
  }, [])
  return (
    <section className="panel order-section refund-decision">
      <p className="refund-amount">
        {refundWay.show(row.way).label} {shown.yuan(row.amount)}
      </p>
      <Descriptions bordered size="small" column={1} items={facts(row)} />
      <div className="refund-buttons">
        <Button onClick={onPassed}>跳过（S）</Button>
        <Button danger onClick={() => setDeclining(true)}>
          驳回（D）
        </Button>
        <Button type="primary" onClick={askApproval}>
          通过（A）
        </Button>
      </div>
      {isDeclining && (
        <FormDialog
          title="驳回这笔退款"
          route={refundOrder.decline}
          okText="驳回"
          toBody={({ reason }) => ({ id: row.id, reason }) as BodyOf<typeof refundOrder.decline>}
          refresh={refresh}
          onDone={onPassed}
          onClose={() => setDeclining(false)}
        >
          <ConsequenceNote facts={refundFacts(row)} effect="不退款，申请人会收到驳回原因" undo="驳回后须重新申请" />
          <Field name="reason" label="驳回原因">
            <Input autoComplete="off" />
          </Field>
        </FormDialog>
      )}
    </section>
  )
}

const refundFacts = (row: RefundOrder) =>
  [
    ['退款金额', shown.yuan(row.amount)],
    ['订单号', row.orderNo],
    ['用户', payerText(row)],
    ['申请人', row.createdBy],
  ] as const

const approval = (row: RefundOrder): Consequence => ({
  facts: refundFacts(row),
  effect:
    row.way === refundWay.code.origin
      ? `充值部分 ${shown.yuan(row.paid)} 原路退回，赠送部分 ${shown.yuan(row.gift)} 退回赠送余额`
      : `${shown.yuan(row.amount)} 立即退到用户钱包`,
  second: `由${row.createdBy}申请，您为审批人`,
})
const facts = (row: RefundOrder) => [
  { key: 'no', label: '退款单号', children: row.id },
  { key: 'order', label: '订单号', children: shown.orderNo(row.orderNo) },
  { key: 'member', label: '用户', children: shown.member(row) },
  { key: 'total', label: '订单金额', children: shown.yuan(row.total) },
  { key: 'back', label: '退回用户', children: `充值 ${shown.yuan(row.paid)}，赠送 ${shown.yuan(row.gift)}` },
  {
    key: 'from',
    label: '站点承担',
    children: `电费 ${shown.yuan(row.electricity)}，服务费 ${shown.yuan(row.service)}，占位费 ${shown.yuan(row.occupancy)}`,
  },
  { key: 'reason', label: '原因', children: row.reason },
  { key: 'by', label: '申请人', children: `${row.createdBy}，${row.createdAt}` },
]
