import { storedCardStatus } from '@wattdeck/contract/operating/stored-card-codes.ts'
import { chipNo } from '@wattdeck/domain/stored-card.ts'
import { sql } from 'kysely'
import type { Db } from '../../kit/db/db.ts'
import { mayHaveBlocks } from './member-block.store.ts'

const ms = (column: string) => sql.raw(`(extract(epoch from ${column}) * 1000)::float8`)

export type Card = {
  id: string
  cardNo: string
  memberId: string | null
  status: number
  /** Not issued yet. */
  inStock: boolean
  counter: string
  /** Time and place of the last accepted swipe; the place is null if the site has no coordinates. */
  usedMs: number | null
  usedLng: number | null
  usedLat: number | null
}

/** Locks the card of the organisation by its chip number, which serialises all decisions about a card. */
export async function lockCard(db: Db, organiseId: string, read: string): Promise<Card | undefined> {
  const { rows } = await sql<Card>`
    select card.id, card.card_no as "cardNo", card.member_id as "memberId", card.status, card.in_stock as "inStock", card.counter, ${ms('card.used_at')} as "usedMs",
      site.lng::float8 as "usedLng", site.lat::float8 as "usedLat"
    from stored_card card left join site on site.id = card.used_site_id
    where card.organise_id = ${organiseId} and card.chip_no = ${chipNo(read)} for update of card`.execute(db)
  return rows[0]
}

export const isNormal = ({ status, inStock }: Card): boolean => status === storedCardStatus.code.normal && !inStock

export type CardCharge = {
  orderId: string
  deviceId: string
  portNo: number
  wireNo: string
  heldFen: string
  /** The device has not confirmed the start yet. */
  starting: boolean
}

/** The open charge that a card pays for. */
export async function chargeOf(db: Db, cardId: string): Promise<CardCharge | undefined> {
  const { rows } = await sql<CardCharge>`
    select open.order_id as "orderId", open.device_id as "deviceId", open.port_no as "portNo", open.wire_no as "wireNo",
      o.held_paid_fen + o.held_gift_fen as "heldFen", open.confirm_by is not null and open.reported_at is null as starting
    from open_charge open join charging_order o on o.id = open.order_id where open.card_id = ${cardId}`.execute(db)
  return rows[0]
}

/** The device of the reader, with its location. */
export type Reader = {
  deviceId: string
  organiseId: string
  agentId: string | null
  siteId: string | null
  adapter: string
  lng: number | null
  lat: number | null
  /** Whether the organisation may bar people from charging. */
  hasBlocks: boolean
}
export async function findReader(db: Db, deviceId: string): Promise<Reader | undefined> {
  const { rows } = await sql<Reader>`
    select device.id as "deviceId", device.organise_id as "organiseId", device.agent_id as "agentId", device.site_id as "siteId", device.adapter,
      site.lng::float8 as lng, site.lat::float8 as lat, ${mayHaveBlocks('device.organise_id')} as "hasBlocks"
    from device left join site on site.id = device.site_id where device.id = ${deviceId} and device.deleted_at is null`.execute(
    db,
  )
  return rows[0]
}

export type Swipe = {
  /** The id of the message. */
  id: string
  key: string
  portNo: number | null
  read: string
  cardId: string | null
  /** Code of `accountStatus`. */
  account: number
  balanceFen: bigint
  orderId: string | null
}

export async function addSwipe(db: Db, reader: Reader, swipe: Swipe): Promise<void> {
  const { organiseId, agentId, siteId, deviceId } = reader
  await sql`insert into card_swipe (id, organise_id, agent_id, site_id, device_id, port_no, swipe_key, card_id, chip_no, account, balance_fen, order_id)
    values (${swipe.id}, ${organiseId}, ${agentId}, ${siteId}, ${deviceId}, ${swipe.portNo}, ${swipe.key}, ${swipe.cardId}, ${chipNo(swipe.read).slice(0, 64)},
      ${swipe.account}, ${swipe.balanceFen}, ${swipe.orderId}) on conflict do nothing`.execute(db)
}

type Known = { account: number; balanceFen: string; wireNo: string | null; atMs: number }

/** The first answer to this swipe key (idempotency key). The key contains the device's clock, so it does not recur months later. */
export async function findSwipe(db: Db, deviceId: string, key: string): Promise<Known | undefined> {
  const { rows } = await sql<Known>`
    select swipe.account, swipe.balance_fen as "balanceFen", o.wire_no as "wireNo", ${ms('app.message_time(swipe.id)')} as "atMs"
    from card_swipe swipe left join charging_order o on o.id = swipe.order_id
    where swipe.device_id = ${deviceId} and swipe.swipe_key = ${key} order by swipe.id limit 1`.execute(db)
  return rows[0]
}

/** Stores the highest message id that was decided for the card, to detect replayed swipes. */
export async function recordCounter(db: Db, cardId: string, messageId: string): Promise<void> {
  await sql`update stored_card set counter = greatest(counter, ${messageId}) where id = ${cardId}`.execute(db)
}

export async function recordUse(db: Db, cardId: string, siteId: string | null): Promise<void> {
  await sql`update stored_card set used_site_id = ${siteId}, used_at = now() where id = ${cardId}`.execute(db)
}
