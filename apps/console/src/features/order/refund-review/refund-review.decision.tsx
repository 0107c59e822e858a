import { refundWay } from '@wattdeck/contract/order/refund-codes.ts'
import { refundOrder, type RefundOrder } from '@wattdeck/contract/order/refund-order.ts'
import { Button, Descriptions, Form, Input } from 'antd'
import { useEffect, useEffectEvent, useState } from 'react'
import { Field, FormRoute } from '../../../kit/form/Field.tsx'
import { refetchRoutes } from '../../../kit/api/queries.ts'
import { useSubmit } from '../../../kit/form/use-submit.ts'
import * as shown from '../_shared/order-cells.tsx'

type Props = { row: RefundOrder; onPassed: () => void }
const typing = 'input, textarea, select, [role=combobox], [role=dialog]'

/** What is asked for, and the two answers to it: also by the keys A and D, or S for later. */
export function RefundDecision({ row, onPassed }: Props) {
  const [refusing, setRefusing] = useState(false)
  const after = {
    refresh: [refundOrder.list],
    onDone: onPassed,
    // Somebody else may have decided meanwhile.
    onFailed: () => void refetchRoutes([refundOrder.list]),
  }
  const approve = useSubmit(refundOrder.approve, after)
  const decline = useSubmit(refundOrder.decline, after)
  const busy = approve.pending || decline.pending
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { target, key, ctrlKey, metaKey, altKey, repeat } = event
    if (busy || refusing || ctrlKey || metaKey || altKey || repeat) return
    if (target instanceof HTMLElement && target.closest(typing) !== null) return
    const act: Record<string, () => void> = {
      a: () => void approve.run({ body: { id: row.id } }),
      d: () => setRefusing(true),
      s: onPassed,
    }
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
      {refusing ? (
        <DeclineForm
          busy={busy}
          onCancel={() => setRefusing(false)}
          onSend={(reason) => void decline.run({ body: { id: row.id, reason } })}
        />
      ) : (
        <div className="refund-buttons">
          <Button disabled={busy} onClick={onPassed}>
            跳过（S）
          </Button>
          <Button danger disabled={busy} onClick={() => setRefusing(true)}>
            拒绝（D）
          </Button>
          <Button type="primary" loading={approve.pending} onClick={() => void approve.run({ body: { id: row.id } })}>
            同意（A）
          </Button>
        </div>
      )}
    </section>
  )
}

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

type FormProps = { busy: boolean; onCancel: () => void; onSend: (reason: string) => void }
const DeclineForm = ({ busy, onCancel, onSend }: FormProps) => (
  <Form layout="vertical" className="refund-decline" onFinish={(values: { reason: string }) => onSend(values.reason)}>
    <FormRoute value={refundOrder.decline}>
      <Field name="reason" label="拒绝原因">
        <Input autoComplete="off" ref={(input) => input?.focus()} />
      </Field>
    </FormRoute>
    <div className="refund-buttons">
      <Button disabled={busy} onClick={onCancel}>
        返回
      </Button>
      <Button danger type="primary" htmlType="submit" loading={busy}>
        确认拒绝
      </Button>
    </div>
  </Form>
)
