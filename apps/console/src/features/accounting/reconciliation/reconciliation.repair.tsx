import { accountKind } from '@wattdeck/contract/accounting/ledger-codes.ts'
import { repairAction, repairState } from '@wattdeck/contract/accounting/recon-codes.ts'
import { type BreakDetail, reconciliation, type RepairOption } from '@wattdeck/contract/accounting/reconciliation.ts'
import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { Button, Form, Radio } from 'antd'
import { useState } from 'react'
import { Can } from '../../../kit/api/Can.tsx'
import * as cells from '../../../kit/display/cells.tsx'
import { FailureAlert } from '../../../kit/form/FailureAlert.tsx'
import { Field, FormRoute } from '../../../kit/form/Field.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import { States } from '../../../kit/display/States.tsx'
import { useConfirmedSubmit } from '../../../kit/form/use-confirm.ts'
import { useSubmit } from '../../../kit/form/use-submit.ts'
import { LinesField, TextField } from '../../../kit/form/fields/TextField.tsx'

const refresh = [reconciliation.list, reconciliation.detail, reconciliation.runs, reconciliation.options]
type Values = { action: RepairOption['action']; reason: string }

/** Requests one of the repairs calculated by the server, without entering an amount. Another person decides. */
export function AskForm({ id }: { id: string }) {
  const [form] = Form.useForm<Values>()
  const options = useDetail(reconciliation.options, { params: { id } })
  const submit = useSubmit(reconciliation.ask, { refresh, form, feedback: 'inline' })
  const action = Form.useWatch('action', form)
  const chosen = options.data?.find((option) => option.action === action)
  const send = (values: Values) =>
    void submit.run({ body: { ...values, id } as unknown as BodyOf<typeof reconciliation.ask> })
  return (
    <section className="recon-ask">
      <h3>处理差异</h3>
      <FailureAlert texts={submit.texts} />
      <FormRoute value={reconciliation.ask}>
        <Form form={form} layout="vertical" onFinish={send}>
          <States query={options} rows={3}>
            {(data) => (
              <Field name="action" label="处理方式" choose>
                <Radio.Group className="recon-choices">
                  {data.map((option) => (
                    <Radio key={option.action} value={option.action} disabled={option.problem !== null}>
                      {repairAction.show(option.action).label}{' '}
                      {option.problem !== null && <span className="meta">不可选：{option.problem}</span>}
                    </Radio>
                  ))}
                </Radio.Group>
              </Field>
            )}
          </States>
          {chosen && <Preview option={chosen} />}
          <LinesField
            name="reason"
            label="原因"
            help="提交后须由其他有审批权限的人员审批后才会生效"
            autoSize={{ minRows: 2, maxRows: 4 }}
          />
          <Button type="primary" htmlType="submit" loading={submit.pending}>
            提交审批
          </Button>
        </Form>
      </FormRoute>
    </section>
  )
}

function Preview({ option }: { option: RepairOption }) {
  if (option.lines.length === 0) return <p className="meta">不会入账，仅记录说明</p>
  return (
    <div className="recon-scroll">
      <table className="recon-table">
        <caption>通过后入账</caption>
        <thead>
          <tr>
            <th>账户</th>
            <th>归属</th>
            <th className="amount">入账前</th>
            <th className="amount">变动</th>
            <th className="amount">入账后</th>
          </tr>
        </thead>
        <tbody>
          {option.lines.map((line) => (
            <tr key={`${line.account} ${line.owner}`}>
              <td>{accountKind.show(line.account).label}</td>
              <td>{line.owner}</td>
              <td className="amount">{cells.money(line.before)}</td>
              <td className="amount">{cells.flow(line.amount)}</td>
              <td className="amount">{cells.money(line.after)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

type Repair = BreakDetail['repairs'][number]

export function Requests({ detail }: { detail: BreakDetail }) {
  if (detail.repairs.length === 0) return null
  return (
    <section>
      <h3>处理申请</h3>
      {detail.repairs.map((repair) => (
        <article key={repair.id} className="recon-request">
          <p>
            {cells.status(repairState, repair.status)} <strong>{repairAction.show(repair.action).label}</strong>{' '}
            {repair.reason}
          </p>
          <p className="meta">
            {repair.createdBy} {repair.createdAt} 申请
            {repair.decidedBy !== null && `，${repair.decidedBy} ${repair.decidedAt ?? ''} 处理`}
            {repair.decision !== null && `：${repair.decision}`}
          </p>
          {repair.status === repairState.code.waiting && <Decide breakId={detail.id} repair={repair} />}
        </article>
      ))}
    </section>
  )
}

function Decide({ breakId, repair }: { breakId: string; repair: Repair }) {
  const [refusing, setRefusing] = useState(false)
  const options = useDetail(reconciliation.options, { params: { id: breakId } })
  const approve = useConfirmedSubmit(reconciliation.approve, { refresh })
  const withdraw = useConfirmedSubmit(reconciliation.withdraw, { refresh })
  const turnDown = useSubmit(reconciliation.turnDown, { refresh })
  const body = { repairId: repair.id }
  const chosen = options.data?.find(({ action }) => action === repair.action)
  if (repair.own)
    return <Button onClick={() => withdraw({ title: '确定要撤销该申请吗？', okText: '撤销' }, { body })}>撤销</Button>
  return (
    <Can route={reconciliation.approve}>
      {chosen && <Preview option={chosen} />}
      {refusing ? (
        <Form
          layout="vertical"
          onFinish={({ reason }: { reason: string }) => void turnDown.run({ body: { ...body, reason } })}
        >
          <FormRoute value={reconciliation.turnDown}>
            <TextField name="reason" label="驳回原因" />
          </FormRoute>
          <div className="recon-buttons">
            <Button onClick={() => setRefusing(false)}>返回</Button>
            <Button danger type="primary" htmlType="submit" loading={turnDown.pending}>
              确认驳回
            </Button>
          </div>
        </Form>
      ) : (
        <div className="recon-buttons">
          <Button danger onClick={() => setRefusing(true)}>
            驳回
          </Button>
          <Button
            type="primary"
            onClick={() =>
              approve(
                {
                  title: `确定通过「${repairAction.show(repair.action).label}」吗？`,
                  content: '通过后立即生效',
                  okText: '通过',
                },
                { body },
              )
            }
          >
            通过
          </Button>
        </div>
      )}
    </Can>
  )
}
