import { breakKind, breakStatus, reconPair } from '@wattdeck/contract/accounting/recon-codes.ts'
import { postingKind } from '@wattdeck/contract/accounting/ledger-codes.ts'
import { sql } from 'kysely'

/** What people call a difference: 'DZ00100001'. */
export const breakNo = (id: string) => `DZ${id.padStart(8, '0')}`

/** Codes as they stand in statements: a parameter in a union would be taken for text. */
export const kinds = Object.fromEntries(
  Object.entries(breakKind.code).map(([name, code]) => [name, sql.raw(`${code}::smallint`)]),
) as Record<keyof typeof breakKind.code, ReturnType<typeof sql.raw>>
export const pairs = Object.fromEntries(
  Object.entries(reconPair.code).map(([name, code]) => [name, sql.raw(`${code}::smallint`)]),
) as Record<keyof typeof reconPair.code, ReturnType<typeof sql.raw>>
export const states = Object.fromEntries(
  Object.entries(breakStatus.code).map(([name, code]) => [name, sql.raw(String(code))]),
) as Record<keyof typeof breakStatus.code, ReturnType<typeof sql.raw>>

const { refund, correction, channelFee } = postingKind.code
/** Of entries of a channel: whatever is neither a refund, a fee nor a correction is money that came in. */
export const otherThanReceipts = sql.raw(`(${refund}, ${correction}, ${channelFee})`)

/** The day of China's clock, which the connection speaks. */
export const startOf = (day: string) => sql`${day}::date::timestamptz`
export const endOf = (day: string) => sql`(${day}::date + 1)::timestamptz`
