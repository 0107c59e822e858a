import { messageEpochMs } from '@wattdeck/contract/events/device-bus.ts'

/** Numbers of a payment and a refund at the provider, equal on every retry (idempotency keys). */
export const payNo = (id: string) => `P${id}`
export const refundNo = (id: string) => `R${id}`

/** The id in a number that a provider sends; undefined if the number has another format. */
export const payIdOf = (no: string): string | undefined => /^P([1-9]\d{0,17})$/.exec(no)?.[1]
export const refundIdOf = (no: string): string | undefined => /^R([1-9]\d{0,17})$/.exec(no)?.[1]

/** Creation time encoded in the id. Idempotency keys of its postings use it, so it is equal on every retry. */
export const payTime = (id: string): string => new Date(Number(BigInt(id) >> 22n) + messageEpochMs).toISOString()
