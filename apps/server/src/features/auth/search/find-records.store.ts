import { repairStatus } from '@wattdeck/contract/product/repair-ticket.ts'
import { refundStatus } from '@wattdeck/contract/order/refund-codes.ts'
import { orderStatus } from '@wattdeck/contract/order/order-codes.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { everyOrganise } from '../../_shared/device-filter.ts'
import { most } from './search.store.ts'

/** These tables contain millions of rows: every statement is an index lookup, and none scans names. */
type Row = { id: string; title: string; no: string | null; note: string }
type Table = 'device' | 'charging_order' | 'member' | 'repair_ticket' | 'pay_order' | 'recharge_order' | 'refund_order'
type Condition = RawBuilder<boolean>

const wholeNumber = /^[1-9]\d{0,17}$/
const idOf = (text: string): string | undefined => wholeNumber.exec(text)?.[0]

/** Row-level security decides. The planner derives no row estimate from it, so the condition is repeated here. */
const inScope = (table: Table, scope: Scope): Condition[] => [
  ...(scope.level > 0 ? [sql<boolean>`${sql.ref(`${table}.organise_id`)} = ${scope.organiseId}`] : []),
  ...(scope.level === 2 ? [sql<boolean>`${sql.ref(`${table}.agent_id`)} = any(${scope.agentIds}::bigint[])`] : []),
  ...(scope.level === 3 ? [sql<boolean>`${sql.ref(`${table}.site_id`)} = any(${scope.siteIds}::bigint[])`] : []),
]
const all = (conditions: readonly Condition[]) => sql.join(conditions, sql` and `)
const lastText = '\u{10FFFF}'
const siteOf = (table: Table) => sql`coalesce((select name from site where site.id = ${sql.ref(`${table}.site_id`)}),
  (select name from organise where organise.id = ${sql.ref(`${table}.organise_id`)}), '')`

/**
 * Finds devices by the prefix of number or name. Each is read in the order of its index, so that a common prefix needs
 * no row scan. The name index begins with the organisation, so a platform search runs per organisation. With too many
 * organisations it finds devices by number only.
 */
export async function findDevices(db: Db, scope: Scope, text: string): Promise<Row[]> {
  const organises = scope.level > 0 ? [scope.organiseId] : await everyOrganise(db, scope, {})
  const upTo = `${text}${lastText}`
  const place = all([sql<boolean>`device.deleted_at is null`, ...inScope('device', scope)])
  const { rows } = await sql<Row>`
    select device.id, device.name as title, device.device_no as no, ${siteOf('device')} as note
    from device where device.id in (
      (select device.id from device where device.device_no >= ${text} and device.device_no < ${upTo} and ${place}
        order by device.device_no limit ${most})
      union all
      (select named.id from unnest(${organises ?? []}::bigint[]) of (organise_id) cross join lateral (
        select device.id from device
        where device.organise_id = of.organise_id
          and device.name collate "C" >= ${text} and device.name collate "C" < ${upTo} and ${place}
        order by device.name collate "C" limit ${most}) named limit ${most}))
    order by device.device_no <> ${text}, device.device_no limit ${most}`.execute(db)
  return rows
}

export async function findOrders(db: Db, scope: Scope, text: string): Promise<Row[]> {
  const id = idOf(text)
  if (id === undefined) return []
  const conditions = [sql<boolean>`charging_order.id = ${id}`, ...inScope('charging_order', scope)]
  const { rows } = await sql<Row & { status: 1; fen: string }>`
    select id, id as title, id as no, device_no as note, status, total_fen as fen from charging_order where ${all(conditions)}`.execute(
    db,
  )
  return rows.map(({ status, fen, ...row }) => ({
    ...row,
    note: `${row.note} ¥${yuanText(BigInt(fen))} ${orderStatus.show(status).label}`,
  }))
}

/** Matches whole phones only: a search by parts would reveal masked digits one by one. */
export async function findMembers(db: Db, scope: Scope, text: string): Promise<Row[]> {
  const id = idOf(text)
  const place = inScope('member', scope)
  const exact = [
    ...(/^1\d{10}$/.test(text) ? [sql<boolean>`member.phone = ${text}`] : []),
    ...(id === undefined ? [] : [sql<boolean>`member.id = ${id}`]),
  ]
  const named = sql<boolean>`member.nickname >= ${text} and member.nickname < ${`${text}${lastText}`}`
  const hits = [
    sql`(select member.id from member where ${all([named, ...place])} order by member.nickname limit ${most})`,
    ...exact.map((hit) => sql`(select member.id from member where ${all([hit, ...place])} limit ${most})`),
  ]
  const { rows } =
    await sql<Row>`select member.id, member.nickname as title, member.id as no, ${siteOf('member')} as note
    from member where member.id in (${sql.join(hits, sql` union all `)}) order by member.id desc limit ${most}`.execute(
      db,
    )
  return rows
}

/** By the whole number, with or without its prefix and leading zeros. */
export async function findTickets(db: Db, scope: Scope, text: string): Promise<Row[]> {
  const digits = /^(?:wx)?(\d{1,10})$/i.exec(text)?.[1]
  if (digits === undefined) return []
  const conditions = [
    sql<boolean>`repair_ticket.ticket_no = ${`WX${digits.padStart(8, '0')}`}`,
    ...inScope('repair_ticket', scope),
  ]
  const { rows } = await sql<
    Row & { status: 2 }
  >`select id, ticket_no as title, ticket_no as no, device_no as note, status
    from repair_ticket where ${all(conditions)}`.execute(db)
  return rows.map(({ status, ...row }) => ({ ...row, note: `${row.note} ${repairStatus.show(status).label}` }))
}

/** By payment number, number of the paid order, or transaction id of the provider. */
export async function findPayments(db: Db, scope: Scope, text: string): Promise<Row[]> {
  const id = idOf(text.replace(/^p/i, ''))
  if (id === undefined && !/^[\w-]{12,64}$/.test(text)) return []
  const hits = [
    sql<boolean>`pay_order.transaction_id = ${text}`,
    ...(id === undefined ? [] : [sql<boolean>`pay_order.id = ${id}`, sql<boolean>`pay_order.ref_id = ${id}`]),
  ].map(
    (condition) =>
      sql`(select pay_order.id from pay_order where ${all([condition, ...inScope('pay_order', scope)])} limit ${most})`,
  )
  const { rows } = await sql<{ id: string; fen: string; site: string }>`
    select pay_order.id, amount_fen as fen, ${siteOf('pay_order')} as site
    from pay_order where pay_order.id in (${sql.join(hits, sql` union all `)}) order by pay_order.id desc limit ${most}`.execute(
    db,
  )
  return rows.map(({ id: found, fen, site }) => named(found, `P${found}`, fen, site))
}

export async function findRecharges(db: Db, scope: Scope, text: string): Promise<Row[]> {
  const id = idOf(text)
  if (id === undefined) return []
  const conditions = [sql<boolean>`recharge_order.id = ${id}`, ...inScope('recharge_order', scope)]
  const { rows } = await sql<{ id: string; fen: string; site: string }>`
    select id, amount_fen as fen, ${siteOf('recharge_order')} as site from recharge_order where ${all(conditions)}`.execute(
    db,
  )
  return rows.map(({ id: found, fen, site }) => named(found, found, fen, site))
}

/** By refund number or order number. */
export async function findRefunds(db: Db, scope: Scope, text: string): Promise<Row[]> {
  const id = idOf(text)
  if (id === undefined) return []
  const hits = ['id', 'order_id'].map(
    (column) => sql`(select refund_order.id from refund_order
      where ${all([sql<boolean>`${sql.ref(`refund_order.${column}`)} = ${id}`, ...inScope('refund_order', scope)])} limit ${most})`,
  )
  const { rows } = await sql<{
    id: string
    fen: string
    status: 1
  }>`select id, amount_fen as fen, status from refund_order
    where id in (${sql.join(hits, sql` union all `)}) order by id desc limit ${most}`.execute(db)
  return rows.map(({ id: found, fen, status }) => named(found, found, fen, refundStatus.show(status).label))
}

const named = (id: string, no: string, fen: string, note: string): Row => ({
  id,
  title: no,
  no,
  note: `¥${yuanText(BigInt(fen))} ${note}`,
})
