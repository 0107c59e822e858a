import { type RechargeRefund, rechargeRefund } from '@wattdeck/contract/order/recharge-refund.ts'
import { refundStep, stepFlow } from '@wattdeck/contract/order/refund-codes.ts'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import { useConfirmedSubmit } from '../../../kit/form/use-confirm.ts'

export type Declining = { id: string; step: 'auditFail' | 'approvalFail' }
const refresh = [rechargeRefund.list]
const checked = '请先在支付渠道后台确认该笔退款没有到账'

/** What can be done to a refund of a recharge where it stands. Nobody does two steps: why not is said at the button. */
export function useRechargeRefundActions(onDecline: (declining: Declining) => void) {
  const audit = useConfirmedSubmit(rechargeRefund.audit, { refresh })
  const approve = useConfirmedSubmit(rechargeRefund.approve, { refresh })
  const cancel = useConfirmedSubmit(rechargeRefund.cancel, { refresh })
  const retry = useConfirmedSubmit(rechargeRefund.retry, { refresh })
  const giveBack = useConfirmedSubmit(rechargeRefund.giveBack, { refresh })

  return (row: RechargeRefund): RowAction[] => {
    const { id, status, own, acted, stuck, payout, amount } = row
    const body = { id }
    const disabled = acted ? '您已处理过该退款，须由他人继续' : undefined
    const { auditing, approving } = refundStep.code
    const steps: RowAction[] = []
    if (status === auditing)
      steps.push(
        {
          label: '审核通过',
          route: rechargeRefund.audit,
          disabled,
          onClick: () => audit({ title: `审核通过退款「${id}」，金额 ¥${amount}？`, okText: '通过' }, { body }),
        },
        {
          label: '不通过',
          route: rechargeRefund.auditFail,
          disabled,
          onClick: () => onDecline({ id, step: 'auditFail' }),
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
              { title: `审批通过退款「${id}」？`, content: `将原路退回 ¥${payout}`, okText: '通过并退款' },
              { body },
            ),
        },
        {
          label: '不通过',
          route: rechargeRefund.approvalFail,
          disabled,
          onClick: () => onDecline({ id, step: 'approvalFail' }),
        },
      )
    if (own && stepFlow.can('cancel', status))
      steps.push({
        label: '撤销',
        route: rechargeRefund.cancel,
        onClick: () => cancel({ title: `确定要撤销退款「${id}」吗？`, okText: '撤销' }, { body }),
      })
    if (!stuck) return steps
    const notOwn = own ? '须由他人处理' : undefined
    return [
      {
        label: '重试',
        route: rechargeRefund.retry,
        disabled: notOwn,
        onClick: () => retry({ title: `确定要重新发起退款「${id}」吗？`, content: checked, okText: '重试' }, { body }),
      },
      {
        label: '退回钱包',
        route: rechargeRefund.giveBack,
        disabled: notOwn,
        onClick: () =>
          giveBack({ title: `确定要把退款「${id}」退回用户钱包吗？`, content: checked, okText: '退回' }, { body }),
      },
    ]
  }
}
