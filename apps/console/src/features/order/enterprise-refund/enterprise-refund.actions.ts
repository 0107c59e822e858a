import { enterpriseRefund, type EnterpriseRefund } from '@wattdeck/contract/order/enterprise-refund.ts'
import { refundStep, stepFlow } from '@wattdeck/contract/order/refund-codes.ts'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import type { Consequence } from '../../../kit/form/Consequence.tsx'
import { useConfirmSheet } from '../../../kit/form/confirm-sheet.tsx'

const refresh = [enterpriseRefund.list]

export type EnterpriseStep = { row: EnterpriseRefund; step: 'auditFail' | 'approvalFail' | 'finish' }

/** The facts of a decision on an enterprise refund. The account stays masked. */
export const enterpriseRefundFacts = (row: EnterpriseRefund): Consequence['facts'] => [
  ['退款金额', `¥${row.amount}`],
  ['企业', row.company],
  ['收款账户', `${row.payee}，${row.bank}，${row.account}`],
  ['退款单号', row.id],
  ['申请人', row.createdBy],
]

/** Row actions of an enterprise refund. Each step needs a different person; a disabled button shows the reason. */
export function useEnterpriseActions(onStep: (step: EnterpriseStep) => void) {
  const audit = useConfirmSheet(enterpriseRefund.audit, { refresh })
  const approve = useConfirmSheet(enterpriseRefund.approve, { refresh })
  const cancel = useConfirmSheet(enterpriseRefund.cancel, { refresh })
  const giveBack = useConfirmSheet(enterpriseRefund.giveBack, { refresh })

  return (row: EnterpriseRefund): RowAction[] => {
    const { id, status, own, acted, amount } = row
    const body = { id }
    const facts = enterpriseRefundFacts(row)
    const disabled = acted ? '您已处理过该退款，须由他人继续' : undefined
    const foreign = own ? '须由他人处理' : undefined
    const { auditing, approving, refunding } = refundStep.code
    const open = (step: EnterpriseStep['step']) => () => onStep({ row, step })
    const byStatus: Partial<Record<EnterpriseRefund['status'], RowAction[]>> = {
      [auditing]: [
        {
          label: '审核通过',
          route: enterpriseRefund.audit,
          disabled,
          onClick: () =>
            audit(
              {
                title: '审核通过这笔企业退款？',
                okText: '通过',
                facts,
                effect: `¥${amount} 继续冻结，等待审批`,
                second: '还须由另一人审批后才能打款',
              },
              { body },
            ),
        },
        { label: '驳回', route: enterpriseRefund.auditFail, disabled, onClick: open('auditFail') },
      ],
      [approving]: [
        {
          label: '审批通过',
          route: enterpriseRefund.approve,
          disabled,
          onClick: () =>
            approve(
              {
                title: '审批通过这笔企业退款？',
                okText: '通过',
                facts,
                effect: `可以向该企业账户打款 ¥${amount}`,
                second: '申请、审核、审批由三名不同人员完成，您为审批人',
              },
              { body },
            ),
        },
        { label: '驳回', route: enterpriseRefund.approvalFail, disabled, onClick: open('approvalFail') },
      ],
      [refunding]: [
        { label: '上传回单', route: enterpriseRefund.finish, disabled: foreign, onClick: open('finish') },
        {
          label: '退回钱包',
          route: enterpriseRefund.giveBack,
          disabled: foreign,
          onClick: () =>
            giveBack(
              {
                title: '把这笔企业退款退回企业钱包？',
                okText: '退回钱包',
                facts,
                effect: `¥${amount} 退回企业钱包，不再打款`,
                undo: '请先确认银行没有打款，退回后不能撤销',
              },
              { body },
            ),
        },
      ],
    }
    const calledOff: RowAction = {
      label: '撤销',
      route: enterpriseRefund.cancel,
      onClick: () =>
        cancel(
          {
            title: '撤销这笔企业退款？',
            okText: '撤销申请',
            facts,
            effect: `冻结的 ¥${amount} 退回企业钱包`,
            undo: '撤销后须重新申请',
          },
          { body },
        ),
    }
    return [...(byStatus[status] ?? []), ...(own && stepFlow.can('cancel', status) ? [calledOff] : [])]
  }
}
