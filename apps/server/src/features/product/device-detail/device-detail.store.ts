import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import {
  curvePoints,
  type DeviceDetail,
  type DeviceEvent,
  type deviceDetail,
  type DeviceMessage,
  type DeviceOperationRow,
  type DevicePort,
  type PileField,
  type PowerSample,
} from '@wattdeck/contract/product/device-detail.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { byId, pageOf } from '../../../kit/db/paging.ts'
import { regionText } from '../../_shared/region-path.store.ts'
import { deviceColumns } from '../_shared/device-columns.ts'
import { dayMs, dayStart, messageIdAt, momentOf } from '../../_shared/message-id.ts'

export async function readDevice(db: Db, id: string): Promise<DeviceDetail | undefined> {
  const [device, ports] = await Promise.all([
    db
      .selectFrom('device')
      .leftJoin('device_state as state', 'state.device_id', 'device.id')
      .leftJoin('site as at', 'at.id', 'device.site_id')
      .select(deviceColumns)
      .select([
        'device.wire_id as wireId',
        regionText(sql.ref('device.province_code'), sql.ref('device.city_code'), sql.ref('device.district_code')).as(
          'regionName',
        ),
        sql<number | null>`"at".lng::float8`.as('siteLng'),
        sql<number | null>`"at".lat::float8`.as('siteLat'),
        'state.temperature_c as temperatureC',
        'state.voltage_dv as voltageDv',
        'state.address',
        'state.connected_at as connectedAt',
        'state.disconnected_at as disconnectedAt',
      ])
      .where('device.id', '=', id)
      .where('device.deleted_at', 'is', null)
      .executeTakeFirst(),
    readPorts(db, id),
  ])
  if (device === undefined) return undefined
  return { ...device, ports: ports.filter((port) => port.portNo <= device.portCount) }
}

const readPorts = (db: Db, id: string): Promise<DevicePort[]> =>
  db
    .selectFrom('port')
    .select(['port_no as portNo', 'status', 'enabled', 'status_since as statusSince', 'reported_at as reportedAt'])
    .select(
      sql<string | null>`(select open.order_id from open_charge open
        where open.device_id = port.device_id and open.port_no = port.port_no)`.as('orderId'),
    )
    .select(['order_no as orderNo', 'power_dw as powerDw', 'voltage_dv as voltageDv', 'current_ma as currentMa'])
    .select(['energy_wh as energyWh', 'minutes', 'temperature_c as temperatureC'])
    .where('device_id', '=', id)
    .orderBy('port_no')
    .execute()

/** Fields of a device that its model and the attribute template of the model define. */
export async function readPileFields(db: Db, id: string): Promise<PileField[] | undefined> {
  const [device, attributes] = await Promise.all([
    db
      .selectFrom('device')
      .innerJoin('device_type as type', 'type.id', 'device.device_type_id')
      .select(['device.device_no', 'device.port_count', 'type.metering', 'type.rated_w', 'type.maker'])
      .where('device.id', '=', id)
      .where('device.deleted_at', 'is', null)
      .executeTakeFirst(),
    db
      .selectFrom('device')
      .innerJoin('device_type as type', 'type.id', 'device.device_type_id')
      .innerJoin('attribute_template_item as item', 'item.attribute_template_id', 'type.attribute_template_id')
      .innerJoin('platform_attribute as attribute', 'attribute.id', 'item.platform_attribute_id')
      .select(['attribute.identifier as key', 'attribute.name as label', 'attribute.unit'])
      .select(sql<string>`coalesce(option.label, item.default_value, attribute.default_value)`.as('value'))
      // A value of an enumeration is shown with the label of its option.
      .leftJoinLateral(
        sql<{ label: string }>`(select one ->> 'label' as label from jsonb_array_elements(attribute.options) one
          where one ->> 'value' = coalesce(item.default_value, attribute.default_value) limit 1)`.as('option'),
        (join) => join.onTrue(),
      )
      .where('device.id', '=', id)
      .where(sql<boolean>`coalesce(item.default_value, attribute.default_value) is not null`)
      .orderBy('item.sort')
      .orderBy('attribute.id')
      .execute(),
  ])
  if (device === undefined) return undefined
  const field = (key: string, label: string, value: string | null, unit: string | null = null) =>
    value === null ? [] : [{ key, label, value, unit }]
  return [
    ...field('deviceNo', '设备编号', device.device_no),
    ...field('gunCount', '端口数', String(device.port_count), '路'),
    ...field('metering', '计量方式', device.metering === 0 ? '按电量' : '按时间'),
    ...field('ratedPower', '额定功率', String(device.rated_w), 'W'),
    ...field('maker', '厂家', device.maker),
    ...attributes,
  ]
}

/** Messages from and to a device, newest first. Ids encode the time, so days become a range of ids. */
export async function listMessages(db: Db, id: string, filter: QueryOf<typeof deviceDetail.messages>) {
  const { direction, kind, portNo, from, to } = filter
  const matching = db
    .selectFrom('device_message')
    .where('device_message.device_id', '=', id)
    .$if(from !== undefined, (query) => query.where('device_message.id', '>=', messageIdAt(dayStart(from ?? ''))))
    .$if(to !== undefined, (query) => query.where('device_message.id', '<', messageIdAt(dayStart(to ?? '') + dayMs)))
    .$if(direction !== undefined, (query) => query.where('direction', '=', direction ?? 1))
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? ''))
    .$if(portNo !== undefined, (query) => query.where('port_no', '=', portNo ?? 0))
  const page = await pageOf(db, matching, filter, {
    key: byId('device_message.id'),
    columns: (query) =>
      query.select([
        'device_message.id',
        sql<string>`app.message_time(device_message.id)`.as('at'),
        sql<DeviceMessage['direction']>`direction`.as('direction'),
        'kind',
        'port_no as portNo',
        sql<DeviceMessage['content']>`content`.as('content'),
        sql<string | null>`encode(frame, 'hex')`.as('frame'),
      ]),
  })
  return page
}

export async function listEvents(db: Db, id: string, filter: QueryOf<typeof deviceDetail.events>) {
  const { kind, from, to } = filter
  const matching = db
    .selectFrom('device_event')
    .where('device_event.device_id', '=', id)
    .$if(from !== undefined, (query) => query.where('at', '>=', sql<string>`${from}::date::timestamptz`))
    .$if(to !== undefined, (query) => query.where('at', '<', sql<string>`(${to}::date + 1)::timestamptz`))
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? ''))
  const page = await pageOf(db, matching, filter, {
    columns: (query) =>
      query.select([
        'device_event.id as messageId',
        'device_event.part',
        'at',
        'kind',
        'port_no as portNo',
        sql<DeviceEvent['detail']>`detail`.as('detail'),
      ]),
    key: {
      columns: [
        ['device_event.at', 'moment'],
        ['device_event.id', 'number'],
        ['device_event.part', 'number'],
      ],
    },
  })
  const shown = page.rows.map(({ messageId, part, ...row }) => ({
    ...row,
    id: `${messageId}-${part}`,
  }))
  return { ...page, rows: shown }
}

/** Operations of users on a device, newest first, as far as the caller may read the log. */
export async function listOperations(
  db: Db,
  id: string,
  { kind, from, to, ...paging }: QueryOf<typeof deviceDetail.operations>,
) {
  const matching = db
    .selectFrom('audit_device')
    .innerJoin('audit_log', (join) =>
      join.onRef('audit_log.id', '=', 'audit_device.audit_id').onRef('audit_log.at', '=', 'audit_device.at'),
    )
    .where('audit_device.device_id', '=', id)
    .$if(from !== undefined, (query) => query.where('audit_device.at', '>=', sql<string>`${from}::date::timestamptz`))
    .$if(to !== undefined, (query) => query.where('audit_device.at', '<', sql<string>`(${to}::date + 1)::timestamptz`))
    .$if(kind !== undefined, (query) => query.where('audit_log.kind', '=', kind ?? ''))
  return pageOf(db, matching, paging, {
    columns: (query) =>
      query.select([
        'audit_log.id',
        'audit_log.at',
        'audit_log.user_name as userName',
        'audit_log.module',
        sql<DeviceOperationRow['kind']>`audit_log.kind`.as('kind'),
        'audit_log.content',
      ]),
    key: {
      columns: [
        ['audit_device.at', 'moment'],
        ['audit_device.audit_id', 'number'],
      ],
    },
  })
}

/** Reports of a port, downsampled: each time bucket keeps the report with the largest power, so that no peak is lost. */
export async function readCurve(
  db: Db,
  id: string,
  { portNo, beginAt, endAt }: QueryOf<typeof deviceDetail.powerCurve>,
): Promise<PowerSample[]> {
  const [first, last] = [messageIdAt(momentOf(beginAt)), messageIdAt(momentOf(endAt) + 1000)]
  const { rows } = await sql<PowerSample>`
    select app.message_time(id) as at, "powerDw", "energyWh", "voltageDv", "currentMa", "temperatureC" from (
      select distinct on (part) part, id, "powerDw", "energyWh", "voltageDv", "currentMa", "temperatureC" from (
        select id, width_bucket(id::numeric, ${first}::numeric, ${last}::numeric, ${curvePoints}::int) as part,
          (content ->> 'powerDw')::int as "powerDw", (content ->> 'energyWh')::int as "energyWh",
          (content ->> 'voltageDv')::int as "voltageDv", (content ->> 'currentMa')::int as "currentMa",
          (content ->> 'temperatureC')::int as "temperatureC"
        from device_message
        where device_id = ${id} and id >= ${first} and id < ${last} and kind = 'portReport' and port_no = ${portNo}
          and content ? 'powerDw'
      ) report order by part, "powerDw" desc, id
    ) peak order by id`.execute(db)
  return rows
}
