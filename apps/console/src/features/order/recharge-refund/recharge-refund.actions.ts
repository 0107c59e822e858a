import { type RechargeRefund, rechargeRefund } from '@wattdeck/contract/order/recharge-refund.ts'
import { refundStep, stepFlow } from '@wattdeck/contract/order/refund-codes.ts'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import type { Consequence } from '../../../kit/form/Consequence.tsx'
import { useConfirmSheet } from '../../../kit/form/confirm-sheet.tsx'

export type Declining = { row: RechargeRefund; step: 'auditFail' | 'approvalFail' }
const refresh = [rechargeRefund.list]
const checked = '请先在支付渠道后台确认该笔退款没有到账'

/** The facts of a decision on a recharge refund. */
export const rechargeRefundFacts = ({
  id,
  amount,
  payout,
  rechargeNo,
  createdBy,
}: RechargeRefund): Consequence['facts'] => [
  ['申请金额', `¥${amount}`],
  ['实退金额', `¥${payout}`],
  ['退款单号', id],
  ['充值单号', rechargeNo],
  ['申请人', createdBy],
]

/** Row actions of a recharge refund. Each step needs a different person; a disabled button shows the reason. */
export function useRechargeRefundActions(onDecline: (declining: Declining) => void) {
  const audit = useConfirmSheet(rechargeRefund.audit, { refresh })
  const approve = useConfirmSheet(rechargeRefund.approve, { refresh })
  const cancel = useConfirmSheet(rechargeRefund.cancel, { refresh })
  const retry = useConfirmSheet(rechargeRefund.retry, { refresh })
  const giveBack = useConfirmSheet(rechargeRefund.giveBack, { refresh })

  return (row: RechargeRefund): RowAction[] => {
    const { id, status, own, acted, stuck, payout, amount } = row
    const body = { id }
    const facts = rechargeRefundFacts(row)
    const disabled = acted ? '您已处理过该退款，须由他人继续' : undefined
    const { auditing, approving } = refundStep.code
    const steps: RowAction[] = []
    if (status === auditing)
      steps.push(
        {
          label: '审核通过',
          route: rechargeRefund.audit,
          disabled,
          onClick: () =>
            audit(
              {
                title: '审核通过这笔充值退款？',
                okText: '通过',
                facts,
                effect: `¥${amount} 继续冻结，等待审批`,
                second: '还须由另一人审批后才会退款',
              },
              { body },
            ),
        },
        {
          label: '驳回',
          route: rechargeRefund.auditFail,
          disabled,
          onClick: () => onDecline({ row, step: 'auditFail' }),
        },
      )
    if (status === approving)
      steps.push(
        {
          label: '审批通过',
          route: rechargeRefund.approve,
          disabled,
          onClick: () =>
            approve(
              {
                title: '审批通过这笔充值退款？',
                okText: '通过并退款',
                facts,
                effect: `向支付渠道发起退款，¥${payout} 原路退回`,
                second: '申请、审核、审批由三名不同人员完成，您为审批人',
              },
              { body },
            ),
        },
        {
          label: '驳回',
          route: rechargeRefund.approvalFail,
          disabled,
          onClick: () => onDecline({ row, step: 'approvalFail' }),
        },
      )
    if (own && stepFlow.can('cancel', status))
      steps.push({
        label: '撤销',
        route: rechargeRefund.cancel,
        onClick: () =>
          cancel(
            {
              title: '撤销这笔充值退款？',
              okText: '撤销申请',
              facts,
              effect: `冻结的 ¥${amount} 退回用户钱包`,
              undo: '撤销后须重新申请',
            },
            { body },
          ),
      })
    if (!stuck) return steps
    const notOwn = own ? '须由他人处理' : undefined
    return [
      {
        label: '重试',
        route: rechargeRefund.retry,
        disabled: notOwn,
        onClick: () =>
          retry(
            {
              title: '重新发起这笔充值退款？',
              okText: '重新发起',
              facts,
              effect: `再次向支付渠道发起退款 ¥${payout}`,
              undo: checked,
            },
            { body },
          ),
      },
      {
        label: '退回钱包',
        route: rechargeRefund.giveBack,
        disabled: notOwn,
        onClick: () =>
          giveBack(
            {
              title: '把这笔充值退款退回用户钱包？',
              okText: '退回钱包',
              facts,
              effect: `¥${amount} 退回用户钱包，不再原路退款`,
              undo: checked,
            },
            { body },
          ),
      },
    ]
  }
}
