import { z } from 'zod'
import { enabledStatus } from '../common.ts'
import { done, get, post } from '../kit/route.ts'
import { decimal, flag, id, row, text, time } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { qrCodeKind, qrCodeStatus, qrCodeType } from '../system/qr-code-manage.ts'
import { installStatus, plugStatus } from './device-codes.ts'

/** The object of a scanned text: a printed code, or the number on a device. */
export type Scanned = z.infer<typeof Scanned>
export const Scanned = row({
  code: row({
    id: z.string(),
    codeNo: z.string(),
    type: qrCodeType.schema,
    kind: qrCodeKind.schema,
    status: qrCodeStatus.schema,
    portNo: z.int().nullable(),
  }).nullable(),
  device: row({
    id: z.string(),
    deviceNo: z.string(),
    name: z.string(),
    typeName: z.string(),
    organiseId: z.string(),
    organiseName: z.string(),
    siteId: z.string().nullable(),
    siteName: z.string().nullable(),
    portCount: z.int(),
    online: z.boolean(),
    csq: z.int().nullable(),
    lastSeenAt: time.nullable(),
    installStatus: installStatus.schema,
    status: enabledStatus.schema,
  })
    .nullable()
    .describe('null: the code is not bound'),
  port: row({ portNo: z.int(), status: plugStatus.schema, enabled: z.boolean() }).nullable(),
})

const menu = menuKey.deviceScan

export const deviceScan = {
  /** A code must carry our signature: any other URL is refused, regardless of its number. */
  resolve: get('/seeker/api/deviceScan/resolve', {
    access: { menu: [menuKey.deviceManage, menu, menuKey.qrCodeManage] },
    query: row({
      text: text(300, '二维码内容'),
      typed: flag.optional().describe('the user typed the number; a code number then needs no signature'),
    }),
    data: Scanned,
  }),
  /** Sets the current location of a device. */
  place: post('/seeker/api/deviceScan/place', {
    access: { menu, action: 'edit' },
    audit: { module: '扫码安装', does: '登记安装站点' },
    body: row({
      deviceId: id,
      siteId: id,
      lng: decimal(73, 136, 6, '经度').optional(),
      lat: decimal(3, 54, 6, '纬度').optional(),
    }),
    data: done,
  }),
}
