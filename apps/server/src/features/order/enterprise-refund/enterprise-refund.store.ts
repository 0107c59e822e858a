import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { enterpriseRefundList, type enterpriseRefund } from '@wattdeck/contract/order/enterprise-refund.ts'
import { stepFlow } from '@wattdeck/contract/order/refund-codes.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { matchingRows, type Source } from '../../../kit/db/list-query.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { stepAllowed } from '../../../core/refunds/steps.store.ts'
import { plannedPlaceConditions, same, stepsOfReader } from '../_shared/money-filter.ts'
import { inSteps, moneyTotals } from '../_shared/order-totals.ts'

type Filter = QueryOf<typeof enterpriseRefund.list>
const table = 'enterprise_refund'

/** `readerId`: the reader, who must not take a second step. An export needs none. */
export const enterpriseRefundSource = (readerId = '0'): Source => ({
  table,
  computed: { ...stepsOfReader(table, readerId), account: sql`enterprise_refund.account_shown` },
  place: (filter: Filter, { db, scope }) => plannedPlaceConditions(db, scope, table, filter),
  own: ({ company, refundNo }: Filter) => [
    ...same(table, 'id', refundNo),
    ...(company === undefined ? [] : [sql<boolean>`starts_with(enterprise_refund.company, ${company})`]),
  ],
})

/** Totals of a filter by stage of the refund. The caller checks that it spans at most a month. */
export async function enterpriseRefundTotals(db: Db, scope: Scope, filter: QueryOf<typeof enterpriseRefund.totals>) {
  const rows = await matchingRows(db, scope, enterpriseRefundList, enterpriseRefundSource(), filter)
  return moneyTotals(rows, {
    waiting: { column: 'amount_fen', of: inSteps(table, ['auditing', 'approving']) },
    refunding: { column: 'amount_fen', of: inSteps(table, ['refunding']) },
    refunded: { column: 'amount_fen', of: inSteps(table, ['finished']) },
  })
}

type Place = { organiseId: string; agentId: string | null; siteId: string | null }

/** The member who owns the wallet, in the caller's scope. */
export async function findMember(db: Db, id: string) {
  const { rows } = await sql<Place & { id: string }>`
    select id, organise_id as "organiseId", agent_id as "agentId", site_id as "siteId" from member where id = ${id}`.execute(
    db,
  )
  return rows[0]
}

type NewRefund = {
  member: Place & { id: string }
  company: string
  taxpayerNo: string | null
  amountFen: bigint
  payee: string
  account: { sealed: string; shown: string }
  bank: string
  reason: string
  by: { id: string; name: string }
}
export async function addRefund(db: Db, { member, account, by, ...params }: NewRefund): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into enterprise_refund (organise_id, agent_id, site_id, member_id, company, taxpayer_no, amount_fen, payee, account_sealed, account_shown, bank,
      reason, created_by_id, created_by)
    values (${member.organiseId}, ${member.agentId}, ${member.siteId}, ${member.id}, ${params.company}, ${params.taxpayerNo}, ${params.amountFen.toString()},
      ${params.payee}, ${account.sealed}, ${account.shown}, ${params.bank}, ${params.reason}, ${by.id}, ${by.name}) returning id`.execute(
    db,
  )
  return rows[0]?.id ?? ''
}

export type LockedRefund = Place & {
  id: string
  memberId: string
  amountFen: bigint
  status: string
  createdById: string
  auditedById: string | null
}
export async function lockRefund(db: Db, id: string): Promise<LockedRefund | undefined> {
  const { rows } = await sql<Omit<LockedRefund, 'amountFen'> & { amountFen: string }>`
    select id, organise_id as "organiseId", agent_id as "agentId", site_id as "siteId", member_id as "memberId", amount_fen as "amountFen", status,
      created_by_id as "createdById", audited_by_id as "auditedById"
    from enterprise_refund where id = ${id} for update`.execute(db)
  const [row] = rows
  return row && { ...row, amountFen: BigInt(row.amountFen) }
}

/** Cancelled by its requester, or returned because the bank cannot pay. */
export async function writeCancel(db: Db, id: string, action: 'cancel' | 'giveBack'): Promise<boolean> {
  const { numAffectedRows } =
    await sql`update enterprise_refund set status = ${stepFlow.to(action)}, finished_at = now()
    where id = ${id} and ${stepAllowed(action)}`.execute(db)
  return numAffectedRows === 1n
}

export async function writeFinish(
  db: Db,
  id: string,
  by: { id: string; name: string },
  voucherId: string,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update enterprise_refund set status = ${stepFlow.to('finish')}, voucher_id = ${voucherId}, paid_by_id = ${by.id}, paid_by = ${by.name}, finished_at = now()
    where id = ${id} and ${stepAllowed('finish')} and created_by_id <> ${by.id}`.execute(db)
  return numAffectedRows === 1n
}
