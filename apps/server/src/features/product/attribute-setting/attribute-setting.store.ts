import { type DeviceAttribute, deliveryStatus } from '@wattdeck/contract/product/attribute-setting.ts'
import { canHold } from '@wattdeck/device-protocol/attribute-scale.ts'
import { sql } from 'kysely'
import { commandReason } from '../../../core/devices/command-labels.ts'
import type { Db } from '../../../kit/db/db.ts'

export const findDevice = (db: Db, id: string) =>
  db
    .selectFrom('device')
    .innerJoin('device_type as type', 'type.id', 'device.device_type_id')
    .leftJoin('attribute_template as template', 'template.id', 'type.attribute_template_id')
    .select(['device.id', 'device.device_no as deviceNo', 'device.name', 'type.name as typeName', 'device.online'])
    .select(['device.device_type_id as deviceTypeId', 'device.site_id as siteId'])
    .select(['template.name as templateName', 'device.adapter', 'template.id as templateId'])
    .where('device.id', '=', id)
    .where('device.deleted_at', 'is', null)
    .executeTakeFirst()

/** Attributes of the device's template in their order, with the reported and desired values of the device. */
export async function listAttributes(
  db: Db,
  device: { id: string; adapter: string; templateId: string | null },
): Promise<DeviceAttribute[]> {
  if (device.templateId === null) return []
  const rows = await db
    .selectFrom('attribute_template_item as item')
    .innerJoin('platform_attribute as attribute', 'attribute.id', 'item.platform_attribute_id')
    .leftJoin('device_attribute as own', (join) =>
      join.onRef('own.identifier', '=', 'attribute.identifier').on('own.device_id', '=', device.id),
    )
    .select(['attribute.identifier', 'attribute.name', 'attribute.unit', 'attribute.group_name as groupName'])
    .select([
      sql<DeviceAttribute['dataType']>`attribute.data_type`.as('dataType'),
      sql<number | null>`attribute.minimum::float8`.as('minimum'),
      sql<number | null>`attribute.maximum::float8`.as('maximum'),
      sql<DeviceAttribute['options']>`attribute.options`.as('options'),
      sql<DeviceAttribute['access']>`attribute.access`.as('access'),
      sql<string | null>`coalesce(item.default_value, attribute.default_value)`.as('defaultValue'),
      sql<string | null>`trim_scale(own.reported)::text`.as('reported'),
      sql<string | null>`trim_scale(own.desired)::text`.as('desired'),
      sql<DeviceAttribute['deliveryStatus']>`own.desired_status`.as('deliveryStatus'),
    ])
    .select([
      'own.reported_at as reportedAt',
      'own.desired_at as desiredAt',
      'own.desired_by as desiredBy',
      'own.reason',
    ])
    .where('item.attribute_template_id', '=', device.templateId)
    .where('attribute.status', '=', 1)
    .orderBy('item.sort')
    .orderBy('attribute.identifier')
    .execute()
  return rows.map((row) => ({
    ...row,
    reason: commandReason(row.reason),
    supported: canHold(device.adapter, row.identifier),
  }))
}

type AttributeChange = { identifier: string; value: string }

/** Records the desired values of a device, and the command that sends them. */
export async function saveDesiredValues(
  db: Db,
  deviceId: string,
  values: readonly AttributeChange[],
  by: { commandId: string; name: string },
): Promise<void> {
  await sql`insert into device_attribute (device_id, identifier, organise_id, agent_id, site_id, desired, desired_at, desired_by, command_id, desired_status)
    select d.id, u.identifier, d.organise_id, d.agent_id, d.site_id, u.value, now(), ${by.name}, ${by.commandId}, ${deliveryStatus.code.underWay}
    from device d, unnest(${values.map(({ identifier }) => identifier)}::text[], ${values.map(({ value }) => value)}::numeric[]) as u (identifier, value)
    where d.id = ${deviceId}
    on conflict (device_id, identifier) do update set desired = excluded.desired, desired_at = excluded.desired_at,
      desired_by = excluded.desired_by, command_id = excluded.command_id, desired_status = excluded.desired_status, reason = null`.execute(
    db,
  )
}
