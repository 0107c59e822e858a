import { chargingOrder } from '@wattdeck/contract/order/charging-order.ts'
import { unfinishedOrder } from '@wattdeck/contract/order/unfinished-order.ts'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import { useConfirmedSubmit } from '../../../kit/form/use-confirm.ts'
import { useSubmit } from '../../../kit/form/use-submit.ts'

const refresh = [chargingOrder.commands, chargingOrder.read]

/** What a person may tell the device of an open order. */
export function useOpenActions() {
  const stop = useConfirmedSubmit(unfinishedOrder.stop, { refresh })
  const query = useSubmit(unfinishedOrder.query, { refresh })
  return (id: string, online: boolean): RowAction[] => [
    {
      label: '远程停止',
      route: unfinishedOrder.stop,
      disabled: online ? undefined : '设备离线，指令无法送达',
      onClick: () =>
        stop(
          {
            title: `确定要停止订单「${id}」吗？`,
            content: '充电将立即结束，并按设备账单结算',
            danger: true,
            okText: '停止',
          },
          { body: { id } },
        ),
    },
    {
      label: '查询端口',
      route: unfinishedOrder.query,
      disabled: online ? undefined : '设备离线，指令无法送达',
      onClick: () => void query.run({ body: { id } }),
    },
  ]
}
