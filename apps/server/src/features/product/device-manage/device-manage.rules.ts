import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import type { deviceManage } from '@wattdeck/contract/product/device-manage.ts'
import { fitsWire, wireForm, wireIdOf } from '@wattdeck/domain/device-number.ts'
import { invalid } from '../../../kit/http/refusal.ts'
import type { findType } from './device-manage.store.ts'

type Fields = Omit<BodyOf<typeof deviceManage.edit>, 'id'>
type Type = NonNullable<Awaited<ReturnType<typeof findType>>>

/** Columns from the form. An omitted field is emptied, or derived from number and model. */
export function columnsOf(deviceNo: string, type: Type | undefined, fields: Fields) {
  if (type === undefined) throw invalid('设备型号不存在', 'deviceTypeId')
  if (type.adapter === null) throw invalid('该型号的协议尚未接入，不能使用', 'deviceTypeId')
  if ((fields.lng === undefined) !== (fields.lat === undefined)) throw invalid('请同时填写经度和纬度')
  return {
    name: fields.name,
    device_type_id: type.id,
    category_id: type.category_id,
    small_category_id: type.small_category_id,
    adapter: type.adapter,
    wire_id: wireOf(deviceNo, { adapter: type.adapter, ports: type.port_count }, fields.wireId),
    port_count: type.port_count,
    imei: fields.imei ?? null,
    iccid: fields.iccid ?? null,
    hardware_version: fields.hardwareVersion ?? null,
    lng: fields.lng ?? null,
    lat: fields.lat ?? null,
    remark: fields.remark ?? null,
  }
}

function wireOf(deviceNo: string, { adapter, ports }: { adapter: string; ports: number }, sent: string | undefined) {
  const written = adapter === 'dny' ? sent?.toLowerCase() : sent
  const wireId = written ?? wireIdOf(adapter, deviceNo, ports)
  if (wireId === undefined) throw invalid('通信标识无法由设备编号推算，请填写', 'wireId')
  if (!fitsWire(adapter, wireId)) throw invalid(`该协议的通信标识为${wireForm(adapter)}`, 'wireId')
  return wireId
}
