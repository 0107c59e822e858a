import { orderStatus } from '@wattdeck/contract/order/order-codes.ts'
import { stopReason } from '@wattdeck/device-protocol/stop-reason.ts'
import { commandReason } from '../devices/command-labels.ts'

/** The reason of an order that never started and was closed by an operator. */
export const closedByHand = 'closedByHand'

/** Display text for the end of an order: the device's stop reason if the charge `began`, otherwise why the start failed. */
export function endText(status: number, reason: string | null, began = false): string | null {
  if (reason === null) return null
  if (reason === 'notConfirmed') return '设备未在90秒内确认'
  if (reason === closedByHand) return '人工关闭'
  if (status === orderStatus.code.released && !began) return commandReason(reason)
  return reason in stopReason.rows ? stopReason.labelOf(reason as 'full') : reason
}
