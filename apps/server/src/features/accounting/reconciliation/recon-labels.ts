import { breakKind, breakStatus, reconPair } from '@wattdeck/contract/accounting/recon-codes.ts'
import { postingKind } from '@wattdeck/contract/accounting/ledger-codes.ts'
import { sql } from 'kysely'

/** The number that users see: 'DZ00100001'. */
export const breakNo = (id: string) => `DZ${id.padStart(8, '0')}`

/** Codes as literals: in a union PostgreSQL would infer text for a parameter. */
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
/**
 * Kinds of channel entries that are not receipts: refunds, corrections and fees. All other kinds are money received.
 */
export const otherThanReceipts = sql.raw(`(${refund}, ${correction}, ${channelFee})`)

/** Day bounds in Asia/Shanghai, the time zone of the connection. */
export const startOf = (day: string) => sql`${day}::date::timestamptz`
export const endOf = (day: string) => sql`(${day}::date + 1)::timestamptz`
