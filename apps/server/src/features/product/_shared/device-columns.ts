import type { Device } from '@wattdeck/contract/product/device-manage.ts'
import { sql } from 'kysely'
import { ownerNames } from '../../../kit/db/ownership.ts'

/** Columns that list and detail share. They are sub-selects, so that only the rows of the page are looked up. */
export const deviceColumns = [
  'device.id',
  'device.device_no as deviceNo',
  'device.name',
  'device.imei',
  'device.iccid',
  sql<string>`(select name from device_category where id = device.category_id)`.as('categoryName'),
  sql<string>`(select name from device_category where id = device.small_category_id)`.as('smallCategoryName'),
  'device.device_type_id as deviceTypeId',
  sql<string>`(select name from device_type where id = device.device_type_id)`.as('typeName'),
  sql<string>`(select code from device_type where id = device.device_type_id)`.as('typeCode'),
  sql<string>`(select protocol.name from device_type type join dtu_protocol protocol on protocol.id = type.protocol_id
    where type.id = device.device_type_id)`.as('protocolName'),
  'device.organise_id as organiseId',
  'device.agent_id as agentId',
  'device.site_id as siteId',
  ...ownerNames('device'),
  sql<string | null>`case when device.tariff_id is null
    then (select tariff.name from site join tariff on tariff.id = site.tariff_id where site.id = device.site_id)
    else (select tariff.name from tariff where tariff.id = device.tariff_id) end`.as('tariffName'),
  sql<string | null>`coalesce(device.tariff_id, (select site.tariff_id from site where site.id = device.site_id))`.as(
    'tariffId',
  ),
  sql<boolean>`device.tariff_id is null`.as('tariffOfSite'),
  'device.port_count as portCount',
  'device.online',
  sql<string | null>`(select last_seen_at from device_state where device_id = device.id)`.as('lastSeenAt'),
  sql<number | null>`(select csq from device_state where device_id = device.id)`.as('csq'),
  'device.software_version as softwareVersion',
  'device.hardware_version as hardwareVersion',
  sql<Device['installStatus']>`device.install_status`.as('installStatus'),
  sql<Device['lineStatus']>`(device.line_confirmed_at is not null)::int`.as('lineStatus'),
  'device.installed_by as installedBy',
  'device.installed_at as installedAt',
  sql<string>`device.service_until::text`.as('serviceUntil'),
  sql<Device['serviceStatus']>`device.service_status`.as('serviceStatus'),
  sql<number | null>`device.lng::float8`.as('lng'),
  sql<number | null>`device.lat::float8`.as('lat'),
  sql<Device['status']>`device.status`.as('status'),
  'device.remark',
  'device.created_by as createdBy',
  'device.created_at as createdAt',
  'device.updated_at as updatedAt',
] as const
