import { offlineRecharge } from '@wattdeck/contract/operating/offline-recharge.ts'
import { storedCardState } from '@wattdeck/contract/operating/stored-card-codes.ts'
import { storedCard, type StoredCard } from '@wattdeck/contract/operating/stored-card.ts'
import { refetchRoutes } from '../../../kit/api/queries.ts'
import { useConfirmSheet } from '../../../kit/form/confirm-sheet.tsx'
import { useConfirmedSubmit } from '../../../kit/form/use-confirm.ts'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import { cardFacts } from './stored-card.columns.tsx'

export type CardQuestion = { what: 'reportLoss' | 'cancelReportLoss' | 'cancel' | 'replace' | 'turnDown' }
export type CardOpen =
  | { what: 'drawer'; id: string }
  | { what: 'recharge'; row: StoredCard }
  | (CardQuestion & { row: StoredCard })
export const cardRoutes = [storedCard.list, storedCard.states, storedCard.detail, storedCard.statement]
const { normal, lost, cancelled, stock, replaced } = storedCardState.code
const isEmpty = ({ balance, gift, frozen }: StoredCard) => [balance, gift, frozen].every((yuan) => yuan === '0.00')

function replaceProblem(row: StoredCard): string | undefined {
  if (row.state !== normal && row.state !== lost) return `${storedCardState.show(row.state).label}的卡不能补卡`
  if (row.waiting !== null) return '该卡已有待审核的补卡申请'
  return row.charging || row.frozen !== '0.00' ? '该卡正在充电，结束后再补卡' : undefined
}
function cancelProblem(row: StoredCard): string | undefined {
  if (row.state === cancelled || row.state === replaced) return `${storedCardState.show(row.state).label}的卡不能注销`
  if (row.waiting !== null) return '该卡有待审核的补卡申请'
  if (row.charging) return '该卡正在充电，结束后再注销'
  return isEmpty(row) ? undefined : '余额为零才能注销'
}

/** What staff may do with a card, by its state. The applicant withdraws a replacement; other staff decide on it. */
export function useCardActions(open: (next: CardOpen) => void) {
  const refresh = cardRoutes
  // Another person may have decided in the meantime.
  const onFailed = () => void refetchRoutes(refresh)
  const withdraw = useConfirmedSubmit(storedCard.withdraw, { refresh, onFailed })
  const approve = useConfirmSheet(storedCard.approve, { refresh, onFailed })

  function decisions(row: StoredCard): RowAction[] {
    const { waiting } = row
    if (waiting === null) return []
    if (waiting.own)
      return [
        {
          label: '撤销补卡',
          route: storedCard.withdraw,
          onClick: () =>
            withdraw(
              {
                title: `确定要撤销储值卡「${row.cardNo}」的补卡吗？`,
                content: '撤销后原卡和余额不变',
                okText: '撤销补卡',
              },
              { body: { replacementId: waiting.id } },
            ),
        },
      ]
    return [
      {
        label: '通过补卡',
        route: storedCard.approve,
        onClick: () =>
          approve(
            {
              title: '通过这笔补卡？',
              okText: '通过并转移余额',
              facts: [...cardFacts(row), ['新卡号', waiting.newCardNo], ['原因', waiting.reason]],
              effect: '全部余额转到新卡，原卡立即作废',
              second: `由${waiting.createdBy}申请，您为审核人。请先核对持卡人的身份和新卡`,
            },
            { body: { replacementId: waiting.id } },
          ),
      },
      { label: '驳回补卡', route: storedCard.turnDown, onClick: () => open({ what: 'turnDown', row }) },
    ]
  }

  return (row: StoredCard): RowAction[] => [
    { label: '详情', onClick: () => open({ what: 'drawer', id: row.id }) },
    ...decisions(row),
    {
      label: '充值',
      route: offlineRecharge.add,
      disabled: row.state === normal ? undefined : `${storedCardState.show(row.state).label}的卡不能充值`,
      onClick: () => open({ what: 'recharge', row }),
    },
    row.state === lost
      ? { label: '解挂', route: storedCard.cancelReportLoss, onClick: () => open({ what: 'cancelReportLoss', row }) }
      : {
          label: '挂失',
          route: storedCard.reportLoss,
          disabled: row.state === normal ? undefined : `${storedCardState.show(row.state).label}的卡不能挂失`,
          onClick: () => open({ what: 'reportLoss', row }),
        },
    {
      label: '补卡',
      route: storedCard.replace,
      disabled: row.state === stock ? '库存卡没有发出，不能补卡' : replaceProblem(row),
      onClick: () => open({ what: 'replace', row }),
    },
    {
      label: '注销',
      route: storedCard.cancel,
      danger: true,
      disabled: cancelProblem(row),
      onClick: () => open({ what: 'cancel', row }),
    },
  ]
}
