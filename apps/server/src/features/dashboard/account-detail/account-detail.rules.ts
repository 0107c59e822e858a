import { accountKind, type AccountName } from '@wattdeck/contract/accounting/ledger-codes.ts'
import { statementDays } from '@wattdeck/contract/dashboard/account-detail.ts'
import { invalid } from '../../../kit/http/refusal.ts'
import type { Days } from '../../../core/ledger/statement.ts'

const dayMs = 86_400_000
const plusDays = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)
const shanghaiDay = (nowMs: number) => new Date(nowMs + 8 * 3_600_000).toISOString().slice(0, 10)

/** The days of a statement: the usual number of days up to today, unless the query sets them. */
export function daysOf(query: { from?: string | undefined; to?: string | undefined }, nowMs: number): Days {
  const today = shanghaiDay(nowMs)
  const to = query.to ?? (query.from !== undefined && query.from > today ? query.from : today)
  const from = query.from ?? plusDays(to, 1 - statementDays.usual)
  if (from > to) throw invalid('结束日期不能早于开始日期', 'to')
  if (from < plusDays(to, 1 - statementDays.most)) throw invalid(`最多查询${statementDays.most}天`, 'from')
  return { from, to }
}

/** The account with the reserved part of each account. */
const heldOf: Partial<Record<AccountName, AccountName>> = {
  memberPaid: 'memberPaidHeld',
  memberGift: 'memberGiftHeld',
  cardPaid: 'cardPaidHeld',
  cardGift: 'cardGiftHeld',
}
const names = new Map<number, AccountName>(
  Object.entries(accountKind.code).map(([name, code]) => [code, name as AccountName]),
)
export function reservedKindOf(kind: number): number | undefined {
  const name = names.get(kind)
  const held = name === undefined ? undefined : heldOf[name]
  return held === undefined ? undefined : accountKind.code[held]
}
const { memberRefunding, memberGiftRefunding } = accountKind.code
const heldKinds = new Set<number>([
  ...Object.values(heldOf).map((name) => accountKind.code[name]),
  memberRefunding,
  memberGiftRefunding,
])

/** Reserved accounts and collecting accounts cannot be spent from. */
export const isSpent = ({ kind, summed }: { kind: number; summed: boolean }) => !summed && !heldKinds.has(kind)
