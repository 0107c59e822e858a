import type { OpenOrder } from '@wattdeck/contract/open/open-charging.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'

export async function findMember(db: Db, id: string) {
  const found = await db
    .selectFrom('member')
    .select(['id', 'nickname', 'organise_id as organiseId', 'status'])
    .where('id', '=', id)
    .executeTakeFirst()
  return found
}

type Newcomer = {
  openId: string
  unionId?: string | undefined
  nickname: string
  phone?: string | undefined
}

type App = { id: string; channel: number; status: number }

/** The app of this AppID. Another organisation may have registered the same one. */
export async function findApp(db: Db, organiseId: string, appId: string): Promise<App | undefined> {
  const { rows } = await sql<App>`
    select id, channel, status from member_app where organise_id = ${organiseId} and app_id = ${appId}`.execute(db)
  return rows[0]
}

/**
 * Finds the member by open id, by the union id of another app of the organisation, or by phone; creates one otherwise.
 */
export async function saveMember(db: Db, organiseId: string, app: App, who: Newcomer): Promise<string> {
  const { rows: identities } = await sql<{
    id: string
  }>`select member_id as id from member_identity where app_id = ${app.id} and open_id = ${who.openId}`.execute(db)
  if (identities[0] !== undefined) return identities[0].id
  const { rows: same } = await sql<{ id: string }>`
    select member_id as id from member_identity where organise_id = ${organiseId} and union_id = ${who.unionId ?? null}
    union all select id from member where organise_id = ${organiseId} and phone = ${who.phone ?? null} limit 1`.execute(
    db,
  )
  const memberId = same[0]?.id ?? (await addMember(db, organiseId, who))
  await sql`insert into member_identity (organise_id, member_id, app_id, channel, open_id, union_id)
    values (${organiseId}, ${memberId}, ${app.id}, ${app.channel}, ${who.openId}, ${who.unionId ?? null})`.execute(db)
  return memberId
}

async function addMember(db: Db, organiseId: string, { nickname, phone }: Newcomer): Promise<string> {
  const { rows } = await sql<{
    id: string
  }>`insert into member (organise_id, nickname, phone) values (${organiseId}, ${nickname}, ${phone ?? null}) returning id`.execute(
    db,
  )
  return rows[0]?.id ?? ''
}

type OrderRow = Omit<
  OpenOrder,
  'held' | 'electricity' | 'service' | 'occupancy' | 'total' | 'discount' | 'explanation'
> & {
  deviceId: string
  wireNo: string
  heldFen: string
  electricityFen: string
  serviceFen: string
  occupancyFen: string
  totalFen: string
  discountFen: string
  bill: unknown
}

/** Usage while charging is from the last report of the device; the bill is present after settlement. */
export async function readOrder(db: Db, id: string): Promise<OrderRow | undefined> {
  const { rows } = await sql<OrderRow>`
    select o.id as "orderNo", o.member_id as "memberId", o.device_id as "deviceId", o.device_no as "deviceNo", o.port_no as "portNo", o.wire_no as "wireNo",
      o.status, o.held_paid_fen + o.held_gift_fen as "heldFen", o.started_at as "startedAt", o.ended_at as "endedAt",
      coalesce(o.duration_s, open.duration_s) as seconds, coalesce(o.energy_dwh, open.energy_dwh) / 10 as "energyWh", open.power_dw / 10 as "powerW",
      o.stop_reason as "stopReason", o.electricity_fen as "electricityFen", o.service_fen as "serviceFen", o.occupancy_fen as "occupancyFen",
      o.total_fen as "totalFen", o.discount_fen + o.coupon_fen + o.pass_fen as "discountFen", o.bill
    from charging_order o left join open_charge open on open.order_id = o.id where o.id = ${id} and o.member_id is not null`.execute(
    db,
  )
  return rows[0]
}
