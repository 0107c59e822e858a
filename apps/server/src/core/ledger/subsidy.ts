import type { AccountName } from '@wattdeck/contract/accounting/ledger-codes.ts'
import type { Discount } from '@wattdeck/domain/tariff/bill.ts'
import type { Line } from './ledger.ts'

/** What a funder other than the site and its passes bears of the discounts of an order. */
export type Subsidy = Discount['shares'][number] & { who: Exclude<Discount['shares'][number]['who'], 'site' | 'pass'> }

const costAccounts: Record<Subsidy['who'], AccountName> = {
  platform: 'discountPlatform',
  organise: 'discountOrganise',
  agent: 'discountAgent',
}

/** A site that bears a discount itself simply earns less. What a pass covers is paid day by day (ADR 72). */
export const subsidiesOf = (discounts: readonly Discount[]): Subsidy[] =>
  discounts.flatMap(({ shares }) => shares.flatMap((share) => (isForeign(share) ? [share] : [])))

const isForeign = (share: Discount['shares'][number]): share is Subsidy => share.who !== 'site' && share.who !== 'pass'

/** The site receives what others bear. Negative shares return it. */
export const subsidyLines = (siteId: string, subsidies: readonly Subsidy[]): Line[] => [
  { account: 'siteSubsidy', owner: siteId, fen: subsidies.reduce((sum, { shareFen }) => sum + shareFen, 0n) },
  ...subsidies.map(({ who, id, shareFen }) => ({ account: costAccounts[who], owner: id, fen: 0n - shareFen })),
]
