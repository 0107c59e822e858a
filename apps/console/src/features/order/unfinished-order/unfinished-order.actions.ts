import { chargingOrder } from '@wattdeck/contract/order/charging-order.ts'
import { unfinishedOrder } from '@wattdeck/contract/order/unfinished-order.ts'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import { useConfirmSheet } from '../../../kit/form/confirm-sheet.tsx'
import { useSubmit } from '../../../kit/form/use-submit.ts'

const refresh = [chargingOrder.commands, chargingOrder.read]

type OpenTarget = { id: string; deviceNo: string; portNo: number; siteName: string | null }

/** Commands to the device of an open order. */
export function useOpenActions() {
  const stop = useConfirmSheet(unfinishedOrder.stop, { refresh })
  const query = useSubmit(unfinishedOrder.query, { refresh })
  return ({ id, deviceNo, portNo, siteName }: OpenTarget, online: boolean): RowAction[] => [
    {
      label: '远程停止',
      route: unfinishedOrder.stop,
      disabled: online ? undefined : '设备离线，指令无法送达',
      onClick: () =>
        stop(
          {
            title: '停止这笔充电？',
            okText: '停止充电',
            danger: true,
            facts: [
              ['订单号', id],
              ['设备端口', `${deviceNo}，${portNo} 号端口`],
              ['站点', siteName ?? '–'],
            ],
            effect: '该端口立即断电，按设备上报的账单结算',
            undo: '停止后不能恢复充电，用户须重新扫码',
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
