import { z } from 'zod'
import { codes } from '../kit/codes.ts'
import { startBatch } from '../kit/bulk.ts'
import { get } from '../kit/route.ts'
import { screenRoutes } from '../kit/screen-routes.ts'
import { id, keyword, row, text, time } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { attributeShape } from './platform-attribute.ts'

/** The delivery state of a desired attribute value. */
export const deliveryStatus = codes({
  underWay: { code: 1, label: '待下发', tone: 'run' },
  done: { code: 2, label: '成功', tone: 'ok' },
  failed: { code: 3, label: '失败', tone: 'bad' },
})

/** An attribute of the device's template: its desired value, and the value reported by the device. */
export type DeviceAttribute = z.infer<typeof DeviceAttribute>
export const DeviceAttribute = row({
  ...attributeShape,
  supported: z.boolean().describe('the device protocol can read and write it'),
  defaultValue: z.string().nullable(),
  reported: z.string().nullable(),
  reportedAt: time.nullable(),
  desired: z.string().nullable(),
  desiredAt: time.nullable(),
  desiredBy: z.string().nullable(),
  deliveryStatus: deliveryStatus.schema.nullable(),
  reason: z.string().nullable(),
})

const menu = menuKey.attributeSetting
const module = '属性设置'
const { read, change } = screenRoutes({ menu, module })
const values = z
  .array(
    row({
      identifier: z.string().regex(/^[a-z][A-Za-z\d]{1,39}$/),
      value: text(20, '目标值'),
    }),
  )
  .min(1, '请至少修改一个属性')
  .max(64)
/** In a form: one 标识=值 a line. */
const valueLines = z
  .string()
  .max(2000)
  .regex(/^[a-z][A-Za-z\d]{1,39}=[\d.-]{1,20}(\n[a-z][A-Za-z\d]{1,39}=[\d.-]{1,20})*$/, '请填写要下发的属性值')

export const attributeSetting = {
  /** Devices to choose from, by number prefix. */
  devices: read('/seeker/api/attributeSetting/devices', {
    query: row({ keyword: keyword.optional() }),
    data: z.array(row({ id: z.string(), deviceNo: z.string(), name: z.string() })),
  }),
  /** The attributes of a device, grouped in the order of its template. */
  list: get('/seeker/api/attributeSetting/list/{id}', {
    access: { menu: [menu, menuKey.deviceManage] },
    params: row({ id }),
    data: row({
      device: row({
        id: z.string(),
        deviceTypeId: z.string(),
        siteId: z.string().nullable(),
        deviceNo: z.string(),
        name: z.string(),
        typeName: z.string(),
        online: z.boolean(),
        templateName: z.string().nullable(),
      }),
      attributes: z.array(DeviceAttribute),
    }),
  }),
  /** Reads the values from the device. */
  read: change(
    '/seeker/api/attributeSetting/read',
    '读取属性',
    { deviceId: id },
    { action: 'control', idempotent: true, data: row({ commandIds: z.array(z.string()) }) },
  ),
  write: change(
    '/seeker/api/attributeSetting/write',
    '下发属性',
    { deviceId: id, values },
    { action: 'control', idempotent: true, encoding: 'json', data: row({ commandIds: z.array(z.string()) }) },
  ),
  batchWrite: startBatch('/seeker/api/attributeSetting/batchWrite', {
    menu,
    action: 'control',
    module,
    does: '批量下发属性',
    body: { values: valueLines },
  }),
}
