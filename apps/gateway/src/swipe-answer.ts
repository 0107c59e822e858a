import type { SwipeReply } from '@wattdeck/contract/events/device-bus.ts'
import { type AccountStatusName, accountLabel } from '@wattdeck/device-protocol/account-status.ts'
import type { DeviceAnswer, SwipeEvent } from '@wattdeck/device-protocol/message.ts'
import type { Protocol } from '@wattdeck/device-protocol/protocol-table.ts'

/** The decision on a card, in the codes of the device's protocol. */
export const swipeAnswer = (
  protocol: Protocol,
  { card, port }: SwipeEvent,
  { account, balanceFen, orderNo }: SwipeReply,
): DeviceAnswer => ({
  kind: 'swipeAnswer',
  card,
  port,
  account: accountLabel(protocol, account as AccountStatusName),
  balanceFen,
  orderNo: orderNo ?? undefined,
})
