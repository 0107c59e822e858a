import { orderStatus } from '@wattdeck/contract/order/order-codes.ts'
import { commandStatus } from '@wattdeck/contract/product/device-command.ts'
import type { StartFacts } from './unfinished-order.store.ts'

const { queued, parked, sent, done, timedOut } = commandStatus.code
const pending: ReadonlySet<number | null> = new Set([queued, parked, sent])

/** Why an order cannot be closed by hand; undefined where it never started and can no longer start. */
export function closeProblem(status: number, start: StartFacts): string | undefined {
  if (status === orderStatus.code.charging) return '订单已开始充电，请远程停止或强制结算'
  if (status !== orderStatus.code.starting) return '订单已结束'
  if (start.isKnown) return '设备已上报该订单，不能关闭'
  const { commandStatus: command } = start
  if (pending.has(command)) return '启动指令尚未结束，请稍后再试'
  if (command === done) return '设备已接受启动指令，不能关闭'
  // Without a reply the device may still start, until its deadline has passed.
  const isUnanswered = command === null || command === timedOut
  return isUnanswered && !start.isOverdue ? '设备仍可能启动，请在下单90秒后再试' : undefined
}
