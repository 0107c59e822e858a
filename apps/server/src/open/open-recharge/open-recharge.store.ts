import { rechargeTarget } from '@wattdeck/contract/accounting/pay-codes.ts'
import { sql } from 'kysely'
import type { Db } from '../../kit/db.ts'
import type { Scope } from '../../kit/scope.ts'

export type Tier = { id: string; payFen: string; giftFen: string }

export async function listTiers(db: Db, _scope: Scope, organiseId: string): Promise<Tier[]> {
  const { rows } = await sql<Tier>`select id, pay_fen as "payFen", gift_fen as "giftFen" from recharge_tier
    where organise_id = ${organiseId} and status = 1 order by pay_fen limit 100`.execute(db)
  return rows
}

export async function findMember(db: Db, _scope: Scope, id: string) {
  const { rows } = await sql<{
    id: string
    organiseId: string
    agentId: string | null
    siteId: string | null
    status: number
  }>`select id, organise_id as "organiseId", agent_id as "agentId", site_id as "siteId", status from member where id = ${id}`.execute(
    db,
  )
  return rows[0]
}

type NewRecharge = {
  place: { organiseId: string; agentId: string | null; siteId: string | null }
  memberId: string
  provider: number
  fen: bigint
  giftFen: bigint
}
export async function addRecharge(db: Db, _scope: Scope, { place, ...wish }: NewRecharge): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into recharge_order (organise_id, agent_id, site_id, target, member_id, provider, amount_fen, gift_fen)
    values (${place.organiseId}, ${place.agentId}, ${place.siteId}, ${rechargeTarget.code.wallet}, ${wish.memberId}, ${wish.provider},
      ${wish.fen.toString()}, ${wish.giftFen.toString()}) returning id`.execute(db)
  return rows[0]?.id ?? ''
}

export async function linkPayment(db: Db, _scope: Scope, id: string, payOrderId: string): Promise<void> {
  await sql`update recharge_order set pay_order_id = ${payOrderId} where id = ${id}`.execute(db)
}

export async function readRecharge(db: Db, _scope: Scope, id: string) {
  const { rows } = await sql<{
    rechargeNo: string
    memberId: string
    amountFen: string
    giftFen: string
    provider: 1 | 2
    status: 1 | 2 | 3
    handle: { codeUrl?: string; handOver?: Record<string, string> } | null
    failure: string | null
    createdAt: string
    expiresAt: string
    paidAt: string | null
    payOrderId: string
  }>`
    select recharge.id as "rechargeNo", recharge.member_id as "memberId", recharge.amount_fen as "amountFen", recharge.gift_fen as "giftFen",
      recharge.provider, recharge.status, pay.handle, pay.failure, recharge.created_at as "createdAt", pay.expires_at as "expiresAt",
      recharge.paid_at as "paidAt", pay.id as "payOrderId"
    from recharge_order recharge join pay_order pay on pay.id = recharge.pay_order_id
    where recharge.id = ${id} and recharge.member_id is not null`.execute(db)
  return rows[0]
}
