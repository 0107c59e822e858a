import type { AccountName } from '@wattdeck/contract/accounting/ledger-codes.ts'
import { rechargeProvider, rechargeTarget } from '@wattdeck/contract/accounting/pay-codes.ts'
import { sql } from 'kysely'
import type { Db } from '../../kit/db/db.ts'
import { publishToOrganisation } from '../../kit/events/outbox.ts'
import { balancesOf, post, type Posting } from '../ledger/ledger.ts'
import { storedRecharge } from './stored-status.ts'

/** Who is credited: a member's wallet, or a stored card with its holder if known. */
export type Payee = { target: 1 | 2; memberId: string | null; cardId: string | null }
type Place = { organiseId: string; agentId: string | null; siteId: string | null }
export type OfflineCredit = Payee &
  Place & {
    id: string
    /** The number by which staff search. */
    serialNo: string
    /** ISO 8601, equal on every retry. */
    createdAt: string
    amountFen: bigint
    giftFen: bigint
    giftValidDays: number | null
    by: string
  }

type Accounts = { paid: AccountName; gift: AccountName; held: readonly AccountName[]; owner: string }

const accountsOf = ({ target, memberId, cardId }: Payee): Accounts =>
  target === rechargeTarget.code.card
    ? { paid: 'cardPaid', gift: 'cardGift', held: ['cardPaidHeld', 'cardGiftHeld'], owner: cardId ?? '' }
    : { paid: 'memberPaid', gift: 'memberGift', held: ['memberPaidHeld', 'memberGiftHeld'], owner: memberId ?? '' }

/** Spendable money of a payee, and the same plus what running charges have reserved. */
export async function balanceOf(db: Db, organiseId: string, payee: Payee) {
  const { paid, gift, held, owner } = accountsOf(payee)
  const balances = await balancesOf(
    db,
    organiseId,
    [paid, gift, ...held].map((account) => ({ account, owner })),
  )
  const [own = 0n, given = 0n, ...reserved] = balances
  const spendableFen = own + given
  return { spendableFen, totalFen: reserved.reduce((sum, fen) => sum + fen, spendableFen) }
}

/**
 * Credits money taken at the desk: the postings, and a paid recharge without a payment of a provider. Lists, statistics
 * and proofs treat it as any other recharge. Returns the recharge and the money that the payee then has. The posting locks
 * the accounts, so no concurrent credit is missed in the balance.
 */
export async function creditOfflineRecharge(
  db: Db,
  credit: OfflineCredit,
): Promise<{ rechargeId: string; totalFen: bigint }> {
  await post(db, postingsOf(credit))
  const { spendableFen: after, totalFen } = await balanceOf(db, credit.organiseId, credit)
  const before = after - credit.amountFen - credit.giftFen
  const { rows } = await sql<{ id: string }>`
    insert into recharge_order (organise_id, agent_id, site_id, target, member_id, card_id, provider, amount_fen, gift_fen, gift_valid_days, status,
      before_fen, after_fen, paid_at)
    values (${credit.organiseId}, ${credit.agentId}, ${credit.siteId}, ${credit.target}, ${credit.memberId}, ${credit.cardId},
      ${rechargeProvider.code.offline}, ${credit.amountFen.toString()}, ${credit.giftFen.toString()}, ${credit.giftValidDays}, ${storedRecharge.number.paid},
      ${before.toString()}, ${after.toString()}, now()) returning id`.execute(db)
  if (credit.target === rechargeTarget.code.wallet)
    await sql`update member set recharged_fen = recharged_fen + ${credit.amountFen.toString()} where id = ${credit.memberId}`.execute(
      db,
    )
  const place = { organise_id: credit.organiseId, agent_id: credit.agentId, site_id: credit.siteId }
  for (const list of ['rechargeRecord', 'member']) await publishToOrganisation(db, place, { kind: 'changed', list })
  return { rechargeId: rows[0]?.id ?? '', totalFen }
}

function postingsOf(credit: OfflineCredit): Posting[] {
  const { id, amountFen, giftFen, giftValidDays } = credit
  const { paid, gift, owner } = accountsOf(credit)
  const common = { keyAt: credit.createdAt, place: credit, ref: credit.serialNo, by: credit.by }
  const recharge: Posting = {
    ...common,
    key: `offlineRecharge/${id}/paid`,
    kind: 'recharge',
    lines: [
      { account: 'channel', owner: String(rechargeProvider.code.offline), fen: -amountFen },
      { account: paid, owner, fen: amountFen },
    ],
  }
  const given: Posting = {
    ...common,
    key: `offlineRecharge/${id}/gift`,
    kind: 'gift',
    ...(giftValidDays === null ? {} : { giftValidDays }),
    lines: [
      { account: 'giftCost', owner: '0', fen: -giftFen },
      { account: gift, owner, fen: giftFen },
    ],
  }
  return giftFen > 0n ? [recharge, given] : [recharge]
}
