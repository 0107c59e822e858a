import { messageEpochMs } from '@wattdeck/contract/events/device-bus.ts'
import type { TariffRules } from '@wattdeck/domain/tariff/rules.ts'
import type pg from 'pg'
import { minuteMs, type Random } from './demo-charge.ts'
import { type Ledger, type Place, Wallet } from './demo-wallets.ts'

/** Rows for demo orders: ports with a price, and members who have charged before. */
export type Port = {
  deviceId: string
  deviceNo: string
  typeId: string
  adapter: string
  portNo: number
  ratedW: number
  versionId: string
  rules: TariffRules
  online: boolean
  working: boolean
  sinceMs: number
  place: Place
  /** Occupied until this time, while orders are created in chronological order. */
  busyMs: number
}
export type Member = { id: string; organiseId: string; siteId: string; wallet: Wallet; busyMs: number }
export type DemoFixture = { ports: Port[]; members: Member[]; ledger: Ledger; random: Random; nowMs: number }

export const orderId = (atMs: number, no: number): string => String((BigInt(atMs - messageEpochMs) << 22n) | BigInt(no))

export const pick = <T>(random: Random, from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)]

type PortRow = Omit<Port, 'place' | 'busyMs'> & Place

export async function readPorts(client: pg.Client, organises: readonly number[]): Promise<Port[]> {
  const { rows } = await client.query<PortRow>(
    `select device.id as "deviceId", device.device_no as "deviceNo", device.device_type_id as "typeId", device.adapter, port.port_no as "portNo",
       least(type.rated_w, ceil(2.0 * type.rated_w / type.port_count))::int as "ratedW", version.id as "versionId", version.rules,
       device.online, port.status = 2 as working, floor(extract(epoch from port.status_since) * 1000)::float8 as "sinceMs",
       device.organise_id as "organiseId", device.agent_id as "agentId", device.site_id as "siteId"
     from device join port on port.device_id = device.id join device_type type on type.id = device.device_type_id
     join tariff_version version on version.id = app.version_in_force(device.id)
     where device.id < 1000 and device.organise_id = any($1::bigint[]) and device.site_id is not null and device.install_status = 1
       and device.deleted_at is null and port.status <> 3 and type.code like '02-%'
     order by device.id, port.port_no`,
    [organises],
  )
  return rows.map(({ organiseId, agentId, siteId, ...row }) => ({
    ...row,
    place: { organiseId, agentId, siteId },
    busyMs: 0,
  }))
}

type MemberRow = {
  id: string
  organiseId: string
  siteId: string
  paidFen: string
  giftFen: string
  registeredMs: number
}

export async function readMembers(client: pg.Client, organises: readonly number[], ledger: Ledger): Promise<Member[]> {
  const { rows } = await client.query<MemberRow>(
    `select member.id, member.organise_id as "organiseId", member.site_id as "siteId", coalesce(paid.balance_fen, 0) as "paidFen",
       coalesce(gift.balance_fen, 0) as "giftFen",
       case when member.organise_id = 5 then extract(epoch from member.registered_at)::float8 * 1000 else 0 end as "registeredMs"
     from member left join account paid on paid.organise_id = member.organise_id and paid.kind = 1 and paid.owner_id = member.id
     left join account gift on gift.organise_id = member.organise_id and gift.kind = 2 and gift.owner_id = member.id
     where member.id < 1000 and member.organise_id = any($1::bigint[]) and member.site_id is not null and member.status = 1
     order by member.id`,
    [organises],
  )
  return rows.map(({ id, organiseId, siteId, paidFen, giftFen, registeredMs }) => ({
    id,
    organiseId,
    siteId,
    wallet: new Wallet(id, { paidFen: BigInt(paidFen), giftFen: BigInt(giftFen) }, ledger),
    busyMs: registeredMs,
  }))
}

const zoneMs = 8 * 60 * minuteMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
/** The percentage that begins in each hour: people come home in the evening, and some charge at work. */
const byHour = [1, 1, 0, 0, 0, 1, 3, 5, 5, 4, 3, 4, 6, 4, 3, 3, 4, 7, 10, 12, 10, 7, 4, 3]
const hours = byHour.flatMap((share, hour) => Array.from({ length: share }, () => hour))

/** Start times in chronological order, with more on Saturdays and Sundays. */
export function startTimes(random: Random, perDay: number, fromMs: number, nowMs: number): number[] {
  const today = Math.floor((nowMs + zoneMs) / dayMs) * dayMs - zoneMs
  const times: number[] = []
  for (let day = today - 30 * dayMs; day <= today; day += dayMs) {
    const isWeekend = [0, 6].includes(new Date(day + zoneMs).getUTCDay())
    const count = Math.round(perDay * (isWeekend ? 1.2 : 0.95) * (0.8 + 0.4 * random()))
    for (let n = 0; n < count; n++)
      times.push(Math.floor(day + (pick(random, hours) ?? 18) * hourMs + random() * hourMs))
  }
  return times.filter((at) => at > fromMs && at < nowMs - 10 * minuteMs).toSorted((a, b) => a - b)
}
