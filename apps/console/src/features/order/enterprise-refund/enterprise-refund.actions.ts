import { enterpriseRefund, type EnterpriseRefund } from '@wattdeck/contract/order/enterprise-refund.ts'
import { refundStep, stepFlow } from '@wattdeck/contract/order/refund-codes.ts'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import { useConfirmedSubmit } from '../../../kit/form/use-confirm.ts'
import type { EnterpriseStep } from './enterprise-refund.dialogs.tsx'

const refresh = [enterpriseRefund.list]

/** What can be done to a company's refund where it stands. Nobody does two steps: why not is said at the button. */
export function useEnterpriseActions(onStep: (step: EnterpriseStep) => void) {
  const audit = useConfirmedSubmit(enterpriseRefund.audit, { refresh })
  const approve = useConfirmedSubmit(enterpriseRefund.approve, { refresh })
  const cancel = useConfirmedSubmit(enterpriseRefund.cancel, { refresh })
  const giveBack = useConfirmedSubmit(enterpriseRefund.giveBack, { refresh })

  return ({ id, status, own, acted, company, amount }: EnterpriseRefund): RowAction[] => {
    const body = { id }
    const what = `${company} ¥${amount}`
    const disabled = acted ? '您已处理过该退款，须由他人继续' : undefined
    const foreign = own ? '须由他人处理' : undefined
    const { auditing, approving, refunding } = refundStep.code
    const open = (step: EnterpriseStep['step']) => () => onStep({ id, step })
    const byStatus: Partial<Record<EnterpriseRefund['status'], RowAction[]>> = {
      [auditing]: [
        {
          label: '审核通过',
          route: enterpriseRefund.audit,
          disabled,
          onClick: () => audit({ title: `审核通过「${what}」？`, okText: '通过' }, { body }),
        },
        { label: '不通过', route: enterpriseRefund.auditFail, disabled, onClick: open('auditFail') },
      ],
      [approving]: [
        {
          label: '审批通过',
          route: enterpriseRefund.approve,
          disabled,
          onClick: () => approve({ title: `审批通过「${what}」？`, okText: '通过' }, { body }),
        },
        { label: '不通过', route: enterpriseRefund.approvalFail, disabled, onClick: open('approvalFail') },
      ],
      [refunding]: [
        { label: '上传回单', route: enterpriseRefund.finish, disabled: foreign, onClick: open('finish') },
        {
          label: '退回钱包',
          route: enterpriseRefund.giveBack,
          disabled: foreign,
          onClick: () =>
            giveBack(
              { title: `确定要把「${what}」退回企业钱包吗？`, content: '请确认银行没有打款', okText: '退回' },
              { body },
            ),
        },
      ],
    }
    const calledOff: RowAction = {
      label: '撤销',
      route: enterpriseRefund.cancel,
      onClick: () => cancel({ title: `确定要撤销「${what}」吗？`, okText: '撤销' }, { body }),
    }
    return [...(byStatus[status] ?? []), ...(own && stepFlow.can('cancel', status) ? [calledOff] : [])]
  }
}
