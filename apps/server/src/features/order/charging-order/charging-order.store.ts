import { type ChargeSample, type OrderPosting, samplePoints } from '@wattdeck/contract/order/charging-order.ts'
import { orderFields, type OrderRow } from '@wattdeck/contract/order/order-row.ts'
import type { DeviceMessage } from '@wattdeck/contract/product/device-detail.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { sql } from 'kysely'
import { orderTime } from '../../../core/charging/order-time.ts'
import { commandColumns, commandInWords } from '../../../core/devices/command-columns.ts'
import type { Db } from '../../../kit/db/db.ts'
import { byId, pageOf, type Paging } from '../../../kit/db/paging.ts'
import { columnsOf, completeRow } from '../../../kit/db/list-query.ts'
import { orderSource } from '../_shared/order-source.ts'
import { yuan } from '../_shared/order-totals.ts'

const order = { fields: orderFields }

/** The stored order, with the last reported values while it is open. */
export async function readOrder(db: Db, id: string) {
  const found = await db
    .selectFrom('charging_order')
    .leftJoin('open_charge', 'open_charge.order_id', 'charging_order.id')
    .where('charging_order.id', '=', id)
    .select(columnsOf(order, orderSource))
    .select([
      'charging_order.wire_no as wireNo',
      'charging_order.limit_by as limitBy',
      'charging_order.limit_value as limitValue',
      sql<string>`charging_order.held_paid_fen + charging_order.held_gift_fen`.as('heldFen'),
      sql<string | null>`(app.order_tariff(charging_order.tariff_version_id)).display_text`.as('tariffText'),
      sql<number | null>`(app.order_tariff(charging_order.tariff_version_id)).no`.as('tariffNo'),
      'open_charge.power_dw as powerDw',
      'open_charge.reported_at as reportedAt',
      'open_charge.duration_s as reportedS',
      'open_charge.energy_dwh as reportedDwh',
      'open_charge.peak_power_dw as reportedPeakDw',
      sql<boolean>`coalesce((select online from device where device.id = charging_order.device_id), false)`.as(
        'online',
      ),
      'charging_order.settled_at as settledAt',
      'charging_order.decided_by as decidedBy',
      'charging_order.decision',
      sql<string[]>`coalesce(charging_order.review_reasons, '{}')`.as('reviewReasons'),
      'charging_order.bill',
      'charging_order.settlement',
    ])
    .executeTakeFirst()
  if (found === undefined) return undefined
  const { heldFen, reportedS, reportedDwh, reportedPeakDw, ...rest } = found
  completeRow(order, orderSource, rest)
  const row = rest as typeof rest & OrderRow
  return {
    ...row,
    durationS: row.durationS ?? reportedS,
    energyDwh: row.energyDwh ?? reportedDwh,
    peakPowerDw: row.peakPowerDw ?? reportedPeakDw,
    held: yuan(heldFen),
  }
}

/** The power curve, downsampled: each time bucket keeps its reading with the largest power, so that no peak is lost. */
export async function readCurve(db: Db, id: string): Promise<ChargeSample[]> {
  const { rows } = await sql<ChargeSample>`
    with sample as materialized (select at, power_dw, energy_dwh from charge_sample where order_id = ${id}),
      span as (select min(at) as first, max(at) as last from sample)
    select at, power_dw as "powerDw", energy_dwh as "energyDwh" from (
      select distinct on (part) at, power_dw, energy_dwh from (
        select at, power_dw, energy_dwh, case when first = last then 1 else
          width_bucket(extract(epoch from at), extract(epoch from first), extract(epoch from last) + 1, ${samplePoints}::int) end as part
        from sample, span
      ) parted order by part, power_dw desc nulls last, at
    ) peak order by at`.execute(db)
  return rows
}

type Line = {
  posting: string
  kind: OrderPosting['kind']
  at: string
  account: OrderPosting['lines'][number]['account']
  fen: string
}
type Reported = { id: string; memo: string | null; by: string | null; digest: string }

/** All postings of an order, oldest first. The caller runs it with the whole organisation visible: both ends count. */
export async function readPostings(db: Db, organiseId: string, id: string): Promise<OrderPosting[]> {
  const [lines, details] = await Promise.all([
    sql<Line>`select entry.posting_id as posting, entry.kind, entry.posted_at as at, account.kind as account, entry.amount_fen as fen
      from entry join account on account.id = entry.account_id
      where entry.ref = ${id} and entry.organise_id = ${organiseId} order by entry.posting_id, entry.line limit 200`.execute(
      db,
    ),
    // Keys of an order begin with its number and carry its time, so the query reads one month.
    sql<Reported>`select id, memo, posted_by as by, encode(digest, 'hex') as digest from posting
      where key_at = ${orderTime(id)} and key >= ${`order/${id}/`} and key < ${`order/${id}0`}`.execute(db),
  ])
  const words = new Map(details.rows.map((row) => [row.id, row]))
  const postings = new Map<string, OrderPosting>()
  for (const { posting, kind, at, account, fen } of lines.rows) {
    const { memo = null, by = null, digest = null } = words.get(posting) ?? {}
    const row = postings.get(posting) ?? { id: posting, kind, at, memo, by, digest, lines: [] }
    row.lines.push({ account, amount: yuanText(BigInt(fen)) })
    postings.set(posting, row)
  }
  return [...postings.values()]
}

export type Span = { deviceId: string; portNo: number; wireNo: string; firstId: string; lastId: string }

/** Range of message ids for an order: from 2 minutes before it until 10 minutes after its settlement, or after now while it is open. */
export async function spanOf(db: Db, id: string): Promise<Span | undefined> {
  const { rows } = await sql<Span>`
    select device_id as "deviceId", port_no as "portNo", wire_no as "wireNo", app.message_id(app.message_time(id) - interval '2 minutes')::text as "firstId",
      app.message_id(greatest(settled_at, ended_at, case when status in (1, 2, 5) then now() end) + interval '10 minutes')::text as "lastId"
    from charging_order where id = ${id}`.execute(db)
  return rows[0]
}

export const listMessages = (db: Db, span: Span, paging: Paging) =>
  pageOf(
    db,
    db
      .selectFrom('device_message')
      .where('device_message.device_id', '=', span.deviceId)
      .where('device_message.id', '>=', span.firstId)
      .where('device_message.id', '<', span.lastId)
      // Messages of the whole device, and those of this port.
      .where(sql<boolean>`(device_message.port_no is null or device_message.port_no = ${span.portNo})`),
    paging,
    {
      key: byId('device_message.id'),
      columns: (query) =>
        query.select([
          'device_message.id',
          sql<string>`app.message_time(device_message.id)`.as('at'),
          sql<DeviceMessage['direction']>`device_message.direction`.as('direction'),
          'device_message.kind',
          'device_message.port_no as portNo',
          sql<DeviceMessage['content']>`device_message.content`.as('content'),
          sql<string | null>`encode(device_message.frame, 'hex')`.as('frame'),
        ]),
    },
  )

/** Commands for this order, and status queries, that the device received. */
export async function readCommands(db: Db, span: Span) {
  const rows = await db
    .selectFrom('device_command')
    .where('device_command.device_id', '=', span.deviceId)
    .where('device_command.id', '>=', span.firstId)
    .where('device_command.id', '<', span.lastId)
    .where(sql<boolean>`(device_command.content ->> 'orderNo' = ${span.wireNo} or device_command.kind = 'query')`)
    .select(commandColumns)
    .orderBy('device_command.id', 'desc')
    .limit(50)
    .execute()
  return rows.map(commandInWords)
}

/** Maximum number of messages in an evidence pack. */
const mostMessages = 60

/** Messages that a bill rests on: start, end, commands with their replies, and the last 10 reports. Oldest first. */
export async function listEvidenceMessages(db: Db, span: Span): Promise<DeviceMessage[]> {
  const { rows } = await sql<DeviceMessage>`
    select id, app.message_time(id) as at, direction, kind, port_no as "portNo", content, encode(frame, 'hex') as frame from (
      (select * from device_message where ${inSpan(span)} and kind <> 'portReport' and kind <> 'heartbeat' order by id desc limit ${mostMessages - 10})
      union all (select * from device_message where ${inSpan(span)} and kind = 'portReport' order by id desc limit 10)
    ) found order by id`.execute(db)
  return rows
}

const inSpan = ({
  deviceId,
  portNo,
  firstId,
  lastId,
}: Span) => sql`device_id = ${deviceId} and id >= ${firstId} and id < ${lastId}
  and (port_no is null or port_no = ${portNo})`
