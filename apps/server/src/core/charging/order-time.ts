import { messageEpochMs } from '@wattdeck/contract/events/device-bus.ts'

/** When an order was made, which its number holds: the time that its postings' keys carry, the same at every attempt. */
export const orderTime = (orderId: string): string =>
  new Date(Number(BigInt(orderId) >> 22n) + messageEpochMs).toISOString()
