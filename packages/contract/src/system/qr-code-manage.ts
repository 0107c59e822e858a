import { z } from 'zod'
import { codes } from '../kit/codes.ts'
import { exportList } from '../kit/bulk.ts'
import { page, PageQuery } from '../kit/page.ts'
import { done, get, post } from '../kit/route.ts'
import { flag, id, idList, keyword, lines, row, text, time, whole } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { deviceNumber } from '../product/device-manage.ts'
import { ownerIds, ownerNames } from './ownership.ts'

export const qrCodeType = codes({
  device: { code: 0, label: '设备码', tone: 'run' },
  port: { code: 1, label: '端口码', tone: 'link' },
})

/** Where a code is put, and for whom. All of them are read the same way. */
export const qrCodeKind = codes({
  ordinary: { code: 1, label: '普通码' },
  miniApp: { code: 2, label: '小程序码' },
  mainBoard: { code: 3, label: '主板码' },
  namePlate: { code: 4, label: '铭牌码' },
  unifiedPile: { code: 5, label: '统一平台桩码' },
})

/** A code that was bound once stays used when it is unbound: binding it again needs a reason. */
export const qrCodeStatus = codes({
  unused: { code: 0, label: '未使用', tone: 'off' },
  used: { code: 1, label: '已使用', tone: 'ok' },
})
export const qrCodeFlow = qrCodeStatus.flow({
  use: { from: ['unused'], to: 'used' },
  bind: { from: ['unused', 'used'], to: 'used' },
  unbind: { from: ['used'], to: 'used' },
})

export const qrBatchStatus = codes({
  making: { code: 0, label: '生成中', tone: 'run' },
  done: { code: 1, label: '已完成', tone: 'ok' },
})
export const qrBatchFlow = qrBatchStatus.flow({
  make: { from: ['making'], to: 'making' },
  finish: { from: ['making'], to: 'done' },
})

/** Whether a code really is stuck on another device than the one it is bound to. */
export const suspicionState = codes({
  open: { code: 0, label: '待核实', tone: 'warn' },
  dismissed: { code: 1, label: '已排除', tone: 'off' },
  confirmed: { code: 2, label: '已确认', tone: 'bad' },
})
export const suspicionFlow = suspicionState.flow({
  dismiss: { from: ['open'], to: 'dismissed' },
  confirm: { from: ['open'], to: 'confirmed' },
})

export type QrCode = z.infer<typeof QrCode>
export const QrCode = row({
  id: z.string(),
  codeNo: z.string().describe('printed below the code'),
  type: qrCodeType.schema,
  kind: qrCodeKind.schema,
  content: z.string().describe('what a camera reads: an address with a signature'),
  deviceId: z.string().nullable(),
  deviceNo: z.string().nullable(),
  portNo: z.int().nullable(),
  status: qrCodeStatus.schema,
  batchNo: z.string(),
  ...ownerNames,
  createdAt: time,
  usedAt: time.nullable(),
  usedBy: z.string().nullable(),
  boundAt: time.nullable(),
  boundBy: z.string().nullable(),
})

/** What the list shows and the table in an archive holds. */
export const qrCodeColumns = {
  codeNo: '编码',
  type: '码类型',
  kind: '类别',
  content: '内容URL',
  deviceNo: '绑定设备',
  portNo: '端口号',
  status: '使用状态',
  batchNo: '批次号',
  organiseName: '所属机构',
  agentName: '所属代理商',
  siteName: '所属站点',
  createdAt: '生成时间',
  usedAt: '使用时间',
  usedBy: '使用人',
} as const

export type QrBatch = z.infer<typeof QrBatch>
export const QrBatch = row({
  id: z.string(),
  batchNo: z.string(),
  type: qrCodeType.schema,
  kind: qrCodeKind.schema,
  units: z.int().describe('devices that the codes are for'),
  ports: z.int().describe('codes for each device; 0 is one code for the whole device'),
  total: z.int(),
  made: z.int(),
  prefix: z.string(),
  status: qrBatchStatus.schema,
  ...ownerNames,
  createdBy: z.string(),
  createdAt: time,
  finishedAt: time.nullable(),
})

export type QrSuspicion = z.infer<typeof QrSuspicion>
export const QrSuspicion = row({
  id: z.string(),
  codeNo: z.string().nullable().describe('null: it has gone to another owner since, as a device may have'),
  expectedDeviceId: z.string(),
  expectedDeviceNo: z.string().nullable(),
  likelyDeviceId: z.string(),
  likelyDeviceNo: z.string().nullable(),
  likelyPortNo: z.int(),
  siteName: z.string().nullable(),
  times: z.int().describe('how often it was seen'),
  at: time,
  state: suspicionState.schema,
  remark: z.string().nullable(),
  handledBy: z.string().nullable(),
  handledAt: time.nullable(),
})

/** Most codes of one batch. */
export const maxCodes = 50_000

const menu = menuKey.qrCodeManage
const module = '设备二维码管理'

const filter = {
  codeNo: keyword.optional().describe('how the number begins'),
  type: qrCodeType.wire.optional(),
  batchNo: keyword.optional().describe('exactly this batch'),
  status: qrCodeStatus.wire.optional(),
  deviceNo: keyword.optional().describe('how the number of the bound device begins'),
  ids: idList(100).optional().describe('just these'),
  ...ownerIds,
}
const access = { menu }
const listOf = (path: string) => get(path, { access, query: PageQuery.extend(filter), data: page(QrCode) })

const Word = row({ code: z.int(), label: z.string() })

export const qrCodeManage = {
  types: get('/seeker/api/qrcode/types', { access, data: row({ types: z.array(Word), kinds: z.array(Word) }) }),
  list: get('/seeker/api/qrcode/list', {
    access,
    query: PageQuery.extend({ ...filter, kind: qrCodeKind.wire.optional().describe('left out: every kind') }),
    data: page(QrCode),
  }),
  miniAppList: listOf('/seeker/api/miniappQrcode/list'),
  mainBoardList: listOf('/seeker/api/deviceCloud/mainBoardQrcode/list'),
  namePlateList: listOf('/seeker/api/deviceQrCode/productDeviceNamePlateQrcode/list'),
  unifiedPileList: listOf('/seeker/api/deviceUnfiedPlatefrom/deviceUnifiedpileqrcodeDetai/list'),
  use: post('/seeker/api/qrcode/use', {
    access: { menu, action: 'edit' },
    audit: { module, does: '标记二维码已用' },
    body: row({ ids: idList() }),
    data: row({ changed: z.int() }),
  }),
  /** Of mini-program codes only. */
  miniAppUse: post('/seeker/api/miniappQrcode/use', {
    access: { menu, action: 'edit' },
    audit: { module, does: '标记小程序码已用' },
    body: row({ ids: idList() }),
    data: row({ changed: z.int() }),
  }),
  generate: post('/seeker/api/qrcode/generate', {
    access: { menu, action: 'add' },
    audit: { module, does: '批量生成二维码' },
    idempotent: true,
    body: row({
      kind: qrCodeKind.wire,
      units: whole(1, maxCodes),
      ports: whole(0, 24).optional().describe('left out or 0: one code for each device'),
      prefix: z
        .string()
        .regex(/^[0-9A-Z]{0,6}$/, '前缀为不超过6位的数字或大写字母')
        .optional(),
      ...ownerIds,
    }),
    data: row({ id: z.string(), batchNo: z.string() }),
  }),
  batches: get('/seeker/api/qrcode/batchList', {
    access,
    query: PageQuery.extend({ kind: qrCodeKind.wire.optional(), status: qrBatchStatus.wire.optional() }),
    data: page(QrBatch),
  }),
  /** Port codes that were made together go to the device together, as far as its ports have none of this kind yet. */
  bind: post('/seeker/api/qrcode/bind', {
    access: { menu: [menu, menuKey.deviceScan], action: 'edit' },
    audit: { module, does: '绑定二维码' },
    body: row({
      id,
      deviceNo: deviceNumber,
      reason: text(100, '原因').optional().describe('asked for once it was used'),
    }),
    data: row({ bound: z.int() }),
  }),
  unbind: post('/seeker/api/qrcode/unbind', {
    access: { menu, action: 'edit' },
    audit: { module, does: '解绑二维码' },
    body: row({ ids: idList(), reason: text(100, '原因') }),
    data: row({ changed: z.int() }),
  }),
  /** Pictures of the codes and a table of them in one archive; it appears in download management. */
  pack: exportList('/seeker/api/qrcode/pack', { menu, module }),
  suspicions: get('/seeker/api/qrcode/suspicionList', {
    access,
    query: PageQuery.extend({ state: suspicionState.wire.optional() }),
    data: page(QrSuspicion),
  }),
  judge: post('/seeker/api/qrcode/judgeSuspicion', {
    access: { menu, action: 'edit' },
    audit: { module, does: '核实疑似错贴' },
    body: row({ id, confirmed: flag, remark: lines(200, '说明').optional() }),
    data: done,
  }),
}
