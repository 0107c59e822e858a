import type { OpenOrder } from '@wattdeck/contract/open/open-charging.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'

export type PortAsked = { codeNo: string; portNo: number | null } | { deviceNo: string; portNo: number }

/**
 * A port by what is printed on the device, or by the number of a code that is bound to it. Two texts: one that chose
 * between them could use the index of neither, and would read every device of the brand.
 */
export async function findPort(db: Db, asked: PortAsked) {
  const which =
    'codeNo' in asked
      ? sql`code.id as "codeId" from qr_code code
          join device on device.id = code.device_id
          join port on port.device_id = device.id and port.port_no = coalesce(code.port_no, ${asked.portNo}, 1)
          where code.code_no = ${asked.codeNo}`
      : sql`null as "codeId" from device
          join port on port.device_id = device.id and port.port_no = ${asked.portNo}
          where device.device_no = ${asked.deviceNo}`
  const { rows } = await sql<{
    deviceId: string
    portNo: number
    codeId: string | null
    deviceName: string
    siteName: string | null
  }>`
    select device.id as "deviceId", port.port_no as "portNo", device.name as "deviceName",
      (select name from site where id = device.site_id) as "siteName", ${which}
      and device.deleted_at is null and port.port_no <= device.port_count`.execute(db)
  return rows[0]
}

export async function findMember(db: Db, id: string) {
  const found = await db
    .selectFrom('member')
    .select(['id', 'nickname', 'organise_id as organiseId', 'status'])
    .where('id', '=', id)
    .executeTakeFirst()
  return found
}

type Newcomer = {
  appId: string
  openId: string
  unionId?: string | undefined
  nickname: string
  phone?: string | undefined
}

/** The member whom an app means: known by the open id, by the union id of another app of the brand, or by the phone. */
export async function saveMember(db: Db, organiseId: string, who: Newcomer): Promise<string | undefined> {
  const { rows: apps } = await sql<{
    id: string
    channel: number
  }>`select id, channel from member_app where app_id = ${who.appId}`.execute(db)
  const [app] = apps
  if (app === undefined) return undefined
  const { rows: known } = await sql<{
    id: string
  }>`select member_id as id from member_identity where app_id = ${app.id} and open_id = ${who.openId}`.execute(db)
  if (known[0] !== undefined) return known[0].id
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

type OrderRow = Omit<OpenOrder, 'held' | 'electricity' | 'service' | 'occupancy' | 'total' | 'explanation'> & {
  deviceId: string
  wireNo: string
  heldFen: string
  electricityFen: string
  serviceFen: string
  occupancyFen: string
  totalFen: string
  bill: unknown
}

/** As it stands: what the device last reported while it charges, the bill when it is over. */
export async function readOrder(db: Db, id: string): Promise<OrderRow | undefined> {
  const { rows } = await sql<OrderRow>`
    select o.id as "orderNo", o.member_id as "memberId", o.device_id as "deviceId", o.device_no as "deviceNo", o.port_no as "portNo", o.wire_no as "wireNo",
      o.status, o.held_paid_fen + o.held_gift_fen as "heldFen", o.started_at as "startedAt", o.ended_at as "endedAt",
      coalesce(o.duration_s, open.duration_s) as seconds, coalesce(o.energy_dwh, open.energy_dwh) / 10 as "energyWh", open.power_dw / 10 as "powerW",
      o.stop_reason as "stopReason", o.electricity_fen as "electricityFen", o.service_fen as "serviceFen", o.occupancy_fen as "occupancyFen",
      o.total_fen as "totalFen", o.bill
    from charging_order o left join open_charge open on open.order_id = o.id where o.id = ${id} and o.member_id is not null`.execute(
    db,
  )
  return rows[0]
}
