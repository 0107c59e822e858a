import { offlineFlow, offlineRecharge, type OfflineRecharge } from '@wattdeck/contract/operating/offline-recharge.ts'
import { refetchRoutes } from '../../../kit/api/queries.ts'
import { useConfirmSheet } from '../../../kit/form/confirm-sheet.tsx'
import { useConfirmedSubmit } from '../../../kit/form/use-confirm.ts'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import { offlineFacts } from './offline-recharge.columns.tsx'

const refresh = [offlineRecharge.list]

/** The clerk withdraws; everybody else approves or rejects. */
export function useOfflineActions(decline: (row: OfflineRecharge) => void) {
  // Another person may have decided in the meantime.
  const onFailed = () => void refetchRoutes(refresh)
  const withdraw = useConfirmedSubmit(offlineRecharge.withdraw, { refresh, onFailed })
  const approve = useConfirmSheet(offlineRecharge.approve, { refresh, onFailed })

  function askApproval(row: OfflineRecharge) {
    approve(
      {
        title: '通过这笔线下充值？',
        okText: '通过并入账',
        facts: offlineFacts(row),
        effect: `${row.cardNo === null ? '会员钱包' : '储值卡'}立即增加 ¥${row.amount}${row.gift === '0.00' ? '' : `，另赠送 ¥${row.gift}`}`,
        second: `由${row.createdBy}申请，您为审核人。请先核对收到的款项和凭证`,
      },
      { body: { id: row.id } },
    )
  }

  return (row: OfflineRecharge): RowAction[] => {
    const settled = offlineFlow.can('approve', row.status) ? undefined : '该充值申请已处理'
    if (row.own)
      return [
        {
          label: '撤销',
          route: offlineRecharge.withdraw,
          disabled: settled,
          onClick: () =>
            withdraw(
              {
                title: `确定要撤销充值「${row.serialNo}」吗？`,
                content: `撤销后不入账，请将 ¥${row.amount} 退还付款人`,
                okText: '撤销充值',
              },
              { body: { id: row.id } },
            ),
        },
      ]
    return [
      { label: '审核通过', route: offlineRecharge.approve, disabled: settled, onClick: () => askApproval(row) },
      { label: '驳回', route: offlineRecharge.turnDown, disabled: settled, onClick: () => decline(row) },
    ]
  }
}
