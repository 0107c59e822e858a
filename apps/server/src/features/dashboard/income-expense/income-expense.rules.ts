import { accountKind, channel, postingKind } from '@wattdeck/contract/accounting/ledger-codes.ts'
import {
  bookPart,
  flowDirection,
  incomeExpenseDays,
  incomeExpenseType,
  type IncomeExpenseType,
  typeRules,
} from '@wattdeck/contract/dashboard/income-expense.ts'
import type { ObjectKind } from '@wattdeck/contract/kit/object-kinds.ts'
import { shanghaiDay } from '@wattdeck/domain/base-service.ts'
import { invalid } from '../../../kit/http/refusal.ts'

const dayMs = 86_400_000
const plusDays = (day: string, days: number) => new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)

/** The days of a query, both included: the last days up to today, unless the query sets them. */
export function periodOf(query: { from?: string | undefined; to?: string | undefined }, nowMs: number) {
  const today = shanghaiDay(nowMs)
  const to = query.to ?? (query.from !== undefined && query.from > today ? query.from : today)
  const from = query.from ?? plusDays(to, 1 - incomeExpenseDays.usual)
  if (from > to) throw invalid('结束日期不能早于开始日期', 'to')
  if (from < plusDays(to, 1 - incomeExpenseDays.most)) throw invalid(`最多查询${incomeExpenseDays.most}天`, 'from')
  return { from, to }
}

const { offline } = channel.code
const names = Object.keys(typeRules) as IncomeExpenseType[]

/** Entries of one kind of account and one sign, which have one type. */
export type Side = { name: IncomeExpenseType; kind: number; sign: 1 | -1; isOffline: boolean | undefined }
const sides: readonly Side[] = names.flatMap((name) => {
  const { accounts, sign, isOffline } = typeRules[name]
  return accounts.map((account) => ({ name, kind: accountKind.code[account], sign, isOffline }))
})

type Filter = { part?: number | undefined; type?: number | undefined; direction?: number | undefined }
/** The entries that a filter selects; none for a direction that its type does not have. */
export const sidesOf = ({ part, type, direction }: Filter): Side[] =>
  sides.filter(
    ({ name }) =>
      (part === undefined || bookPart.code[typeRules[name].part] === part) &&
      (type === undefined || incomeExpenseType.code[name] === type) &&
      (direction === undefined || flowDirection.code[typeRules[name].direction] === direction),
  )

type Booked = { accountKind: number; owner: string; fen: bigint }
/** The type of an entry of a collecting account. */
export function typeOf({ accountKind: kind, owner, fen }: Booked): IncomeExpenseType {
  const found = sides.find(
    (side) =>
      side.kind === kind &&
      side.sign === (fen > 0n ? 1 : -1) &&
      (side.isOffline === undefined || side.isOffline === (owner === String(offline))),
  )
  if (found === undefined) throw new Error(`entries of account kind ${kind} have no type`)
  return found.name
}

/** What a reference of the ledger names: an object with a page, or a record that leads to one. */
export type Subject =
  | { kind: ObjectKind; id: string }
  | { kind: 'payRefund' | 'offlineRecharge' | 'rechargeRefund'; id: string }
  | undefined

const { bill, refund, release, giftExpiry } = postingKind.code
const charging = new Set<number>([
  ...(['siteElectricity', 'siteService', 'siteOccupancy', 'siteSubsidy'] as const).map(
    (name) => accountKind.code[name],
  ),
  accountKind.code.discountOrganise,
  accountKind.code.discountAgent,
])
const patterns = [
  { kind: 'payment', pattern: /^P([1-9]\d{0,17})$/ },
  { kind: 'payRefund', pattern: /^R([1-9]\d{0,17})$/ },
  { kind: 'offlineRecharge', pattern: /^XC0*([1-9]\d{0,17})$/ },
] as const

export function subjectOf({ accountKind: of, kind, ref }: { accountKind: number; kind: number; ref: string }): Subject {
  for (const { kind: named, pattern } of patterns) {
    const id = pattern.exec(ref)?.[1]
    if (id !== undefined) return { kind: named, id }
  }
  if (!/^[1-9]\d{0,17}$/.test(ref)) return undefined
  if (charging.has(of)) return kind === bill || kind === refund ? { kind: 'order', id: ref } : undefined
  if (of !== accountKind.code.giftCost) return undefined
  if (kind === giftExpiry) return { kind: 'member', id: ref }
  return kind === refund || kind === release ? { kind: 'rechargeRefund', id: ref } : undefined
}
