import { messageEpochMs } from '@wattdeck/contract/events/device-bus.ts'

/** Creation time of an order, encoded in its id. Idempotency keys of its postings use it, so it is equal on every retry. */
export const orderTime = (orderId: string): string =>
  new Date(Number(BigInt(orderId) >> 22n) + messageEpochMs).toISOString()
