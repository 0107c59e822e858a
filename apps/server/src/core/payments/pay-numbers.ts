import { messageEpochMs } from '@wattdeck/contract/events/device-bus.ts'

/** What a payment and its refunds are called at the provider, the same at every attempt. */
export const payNo = (id: string) => `P${id}`
export const refundNo = (id: string) => `R${id}`

/** Our id in a number that a provider names; undefined where we never gave such a one. */
export const payIdOf = (no: string): string | undefined => /^P([1-9]\d{0,17})$/.exec(no)?.[1]
export const refundIdOf = (no: string): string | undefined => /^R([1-9]\d{0,17})$/.exec(no)?.[1]

/** When it was made, which its id holds: the time that the keys of its postings carry, the same at every attempt. */
export const payTime = (id: string): string => new Date(Number(BigInt(id) >> 22n) + messageEpochMs).toISOString()
