import { z } from 'zod'
import { page, PageQuery } from '../kit/page.ts'
import { get } from '../kit/route.ts'
import { date, id, moment, row, time, whole } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { logKind } from '../system/log.ts'
import { deviceEventKind, messageDirection, messageKind } from './device-codes.ts'
import { PortPatch } from './device-live.ts'
import { deviceShape } from './device-manage.ts'

export type DevicePort = z.infer<typeof DevicePort>
export const DevicePort = PortPatch.extend({
  enabled: z.boolean(),
  statusSince: time,
  orderId: z.string().nullable().describe('open order on the port'),
})

export type DeviceDetail = z.infer<typeof DeviceDetail>
export const DeviceDetail = row({
  ...deviceShape,
  wireId: z.string(),
  regionName: z.string().nullable(),
  siteLng: z.number().nullable(),
  siteLat: z.number().nullable(),
  temperatureC: z.int().nullable(),
  voltageDv: z.int().nullable(),
  address: z.string().nullable().describe('source address of its connection'),
  connectedAt: time.nullable(),
  disconnectedAt: time.nullable(),
  ports: z.array(DevicePort),
})

/** One property of a charger as text, from its model or the attributes of its model. */
export type PileField = z.infer<typeof PileField>
const PileField = row({ key: z.string(), label: z.string(), value: z.string(), unit: z.string().nullable() })

export type DeviceMessage = z.infer<typeof DeviceMessage>
export const DeviceMessage = row({
  id: z.string(),
  at: time,
  direction: messageDirection.schema,
  kind: z.string(),
  portNo: z.int().nullable(),
  content: z.record(z.string(), z.unknown()),
  frame: z.string().nullable().describe('raw frame, in hex'),
})

export type DeviceEvent = z.infer<typeof DeviceEvent>
export const DeviceEvent = row({
  id: z.string(),
  at: time,
  kind: z.string(),
  portNo: z.int().nullable(),
  detail: z.record(z.string(), z.unknown()),
})

/** An operation on the device: the part of an audit log entry that concerns this device. */
export type DeviceOperationRow = z.infer<typeof DeviceOperationRow>
export const DeviceOperationRow = row({
  id: z.string().describe('id of the log entry'),
  at: time,
  userName: z.string().nullable(),
  module: z.string(),
  kind: logKind.schema,
  content: z.string(),
})

/** A reading of a port. */
export type PowerSample = z.infer<typeof PowerSample>
export const PowerSample = row({
  at: time,
  powerDw: z.int(),
  energyWh: z.int().nullable(),
  voltageDv: z.int().nullable(),
  currentMa: z.int().nullable(),
  temperatureC: z.int().nullable(),
})
/** A curve is reduced to this many points; the highest power of each interval is kept. */
export const curvePoints = 500
export const curveMaxHours = 168

const access = { menu: menuKey.deviceManage }

export const deviceDetail = {
  read: get('/seeker/api/deviceManager/detail/{id}', { access, params: row({ id }), data: DeviceDetail }),
  pileFields: get('/seeker/api/deviceProperty/listPileFieldByDevice', {
    access,
    query: row({ deviceId: id }),
    data: z.array(PileField),
  }),
  messages: get('/seeker/api/deviceMessage/pageList/{id}', {
    access,
    params: row({ id }),
    query: PageQuery.extend({
      direction: messageDirection.wire.optional(),
      kind: messageKind.wire.optional(),
      portNo: whole(1, 24).optional(),
      from: date.optional(),
      to: date.optional(),
    }),
    data: page(DeviceMessage),
  }),
  events: get('/seeker/api/deviceEvent/pageList/{id}', {
    access,
    params: row({ id }),
    query: PageQuery.extend({
      kind: deviceEventKind.wire.optional(),
      from: date.optional(),
      to: date.optional(),
    }),
    data: page(DeviceEvent),
  }),
  operations: get('/seeker/api/deviceOperation/pageList/{id}', {
    access,
    params: row({ id }),
    query: PageQuery.extend({ kind: logKind.wire.optional(), from: date.optional(), to: date.optional() }),
    data: page(DeviceOperationRow),
  }),
  powerCurve: get('/seeker/api/deviceMessage/powerCurve/{id}', {
    access,
    params: row({ id }),
    query: row({ portNo: whole(1, 24), beginAt: moment, endAt: moment }),
    data: z.array(PowerSample),
  }),
}
