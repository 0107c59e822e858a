import { z } from 'zod'
import { codes } from '../kit/codes.ts'
import { exportList } from '../kit/bulk.ts'
import { f } from '../kit/fields.ts'
import { defineList } from '../kit/list.ts'
import { type DataOf, done, get, post } from '../kit/route.ts'
import { flag, id, idList, keyword, lines, row, text, time, whole } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { deviceNumber } from '../product/device-manage.ts'
import { ownerIds } from './ownership.ts'

export const qrCodeType = codes({
  device: { code: 0, label: '设备码', tone: 'run' },
  port: { code: 1, label: '端口码', tone: 'link' },
})

/** The place and purpose of a code. All kinds are read the same way. */
export const qrCodeKind = codes({
  ordinary: { code: 1, label: '普通码' },
  miniApp: { code: 2, label: '小程序码' },
  mainBoard: { code: 3, label: '主板码' },
  namePlate: { code: 4, label: '铭牌码' },
  unifiedPile: { code: 5, label: '统一平台桩码' },
})

/** An unbound code stays used: binding it again requires a reason. */
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

/** Whether a code is attached to a different device than the one it is bound to. */
export const suspicionState = codes({
  open: { code: 0, label: '待核实', tone: 'warn' },
  dismissed: { code: 1, label: '已排除', tone: 'off' },
  confirmed: { code: 2, label: '已确认', tone: 'bad' },
})
export const suspicionFlow = suspicionState.flow({
  dismiss: { from: ['open'], to: 'dismissed' },
  confirm: { from: ['open'], to: 'confirmed' },
})

/** Most codes of one batch. */
export const maxCodes = 50_000

const menu = menuKey.qrCodeManage
const module = '设备二维码管理'

export const qrCodeList = defineList('/seeker/api/qrcode', {
  menu,
  module,
  paths: { list: '/seeker/api/qrcode/list' },
  fields: {
    codeNo: f.no('编码', { width: 190, about: 'printed below the code' }),
    status: f.code('使用状态', qrCodeStatus, { width: 90 }),
    type: f.code('码类型', qrCodeType, { width: 90 }),
    kind: f.code('类别', qrCodeKind, { width: 110 }),
    deviceNo: f.shown('绑定设备', { width: 130, optional: true, object: { kind: 'device', id: 'deviceId' } }),
    portNo: f.count('端口号', { width: 80, optional: true }),
    content: f.no('内容URL', { width: 300, about: 'content of the code: a signed URL' }),
    batchNo: f.shown('批次号', { width: 150 }),
    ...f.owner,
    createdAt: f.time('生成时间', { width: 180 }),
    usedAt: f.time('使用时间', { width: 180, optional: true }),
    usedBy: f.shown('使用人', { width: 100, optional: true, hidden: true }),
    deviceId: f.data(z.string().nullable()),
    boundAt: f.data(time.nullable()),
    boundBy: f.data(z.string().nullable()),
  },
  decided: [
    ['codeNo', 'batchNo'],
    ['status', 'type'],
    ['kind'],
    ['deviceNo', 'portNo'],
    ['content'],
    ['siteName', 'agentName'],
    ['createdAt', 'usedAt'],
  ],
  filter: {
    own: {
      codeNo: { title: '编码', schema: keyword.describe('prefix of the number') },
      batchNo: { title: '批次号', schema: keyword.describe('exact batch number') },
      deviceNo: {
        title: '设备编号',
        schema: keyword.describe('prefix of the bound device number'),
      },
      ids: { schema: idList(100).describe('only these codes') },
      deviceIds: { schema: idList(100).describe('bound to these devices') },
    },
    exact: ['kind', 'type', 'status'],
    owner: ['organise', 'agent', 'site'],
    order: ['codeNo', 'kind', 'type', 'status', 'batchNo', 'deviceNo', 'owner'],
  },
})
export type QrCode = DataOf<typeof qrCodeList.routes.list>['rows'][number]

/** The columns of the table in an archive of codes, in order. */
export const packColumns = [
  'codeNo',
  'type',
  'kind',
  'content',
  'deviceNo',
  'portNo',
  'status',
  'batchNo',
  'organiseName',
  'agentName',
  'siteName',
  'createdAt',
  'usedAt',
  'usedBy',
]

export const qrBatchList = defineList('/seeker/api/qrcode', {
  menu,
  module,
  paths: { list: '/seeker/api/qrcode/batchList' },
  fields: {
    batchNo: f.shown('批次号', { width: 150 }),
    status: f.code('状态', qrBatchStatus, { width: 90 }),
    made: f.count('二维码数', { width: 120 }),
    kind: f.code('类别', qrCodeKind, { width: 110 }),
    type: f.code('码类型', qrCodeType, { width: 90 }),
    units: f.count('设备数', { width: 90, about: 'devices that the codes are for' }),
    ports: f.count('每台端口数', {
      width: 100,
      about: 'codes per device; 0: one code for the whole device',
    }),
    prefix: f.shown('前缀', { width: 80 }),
    ...f.owner,
    createdBy: f.shown('创建人', { width: 100 }),
    createdAt: f.time('创建时间', { width: 180 }),
    total: f.data(z.int()),
    finishedAt: f.data(time.nullable()),
  },
  filter: { exact: ['kind', 'status'] },
})
export type QrBatch = DataOf<typeof qrBatchList.routes.list>['rows'][number]

export const qrSuspicionList = defineList('/seeker/api/qrcode', {
  menu,
  module,
  paths: { list: '/seeker/api/qrcode/suspicionList' },
  fields: {
    codeNo: f.shown('二维码', {
      width: 180,
      optional: true,
      about: 'null: the code moved to another owner, as the device may have',
    }),
    state: f.code('状态', suspicionState, { width: 90 }),
    expectedDeviceNo: f.shown('应贴设备', {
      width: 130,
      optional: true,
      object: { kind: 'device', id: 'expectedDeviceId' },
    }),
    likelyDeviceNo: f.shown('疑似贴在', {
      width: 130,
      optional: true,
      object: { kind: 'device', id: 'likelyDeviceId' },
    }),
    likelyPortNo: f.count('端口', { width: 70 }),
    siteName: f.shown('站点', { optional: true, object: { kind: 'site', id: 'siteId' } }),
    siteId: f.data(z.string().nullable()),
    times: f.count('次数', { width: 70, about: 'number of observations' }),
    at: f.time('最近发现', { width: 180 }),
    remark: f.shown('说明', { width: 180, optional: true, hidden: true }),
    handledBy: f.shown('核实人', { width: 100, optional: true }),
    handledAt: f.time('核实时间', { width: 180, optional: true, hidden: true }),
    expectedDeviceId: f.data(z.string()),
    likelyDeviceId: f.data(z.string()),
  },
  filter: { exact: ['state'] },
})
export type QrSuspicion = DataOf<typeof qrSuspicionList.routes.list>['rows'][number]

const access = { menu }
const { list } = qrCodeList.routes
const listOf = (path: string) => get(path, { access, query: list.query.omit({ kind: true }), data: list.data })

const Word = row({ code: z.int(), label: z.string() })

export const qrCodeManage = {
  types: get('/seeker/api/qrcode/types', { access, data: row({ types: z.array(Word), kinds: z.array(Word) }) }),
  list,
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
  /** Only for mini-program codes. */
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
      ports: whole(0, 24).optional().describe('0 or omitted: one code per device'),
      prefix: z
        .string()
        .regex(/^[0-9A-Z]{0,6}$/, '前缀为不超过6位的数字或大写字母')
        .optional(),
      ...ownerIds,
    }),
    data: row({ id: z.string(), batchNo: z.string() }),
  }),
  batches: qrBatchList.routes.list,
  /**
   * Port codes created together are bound together, as far as the ports of the device have no code of this kind yet.
   */
  bind: post('/seeker/api/qrcode/bind', {
    access: { menu: [menu, menuKey.deviceScan], action: 'edit' },
    audit: { module, does: '绑定二维码' },
    body: row({
      id,
      deviceNo: deviceNumber,
      reason: text(100, '原因').optional().describe('required after the first use of the code'),
    }),
    data: row({ bound: z.int() }),
  }),
  unbind: post('/seeker/api/qrcode/unbind', {
    access: { menu, action: 'edit' },
    audit: { module, does: '解绑二维码' },
    body: row({ ids: idList(), reason: text(100, '原因') }),
    data: row({ changed: z.int() }),
  }),
  /** Pictures of the codes and a table in one archive, which appears in download management. */
  pack: exportList('/seeker/api/qrcode/pack', { menu, module }),
  suspicions: qrSuspicionList.routes.list,
  judge: post('/seeker/api/qrcode/judgeSuspicion', {
    access: { menu, action: 'edit' },
    audit: { module, does: '核实疑似错贴' },
    body: row({ id, confirmed: flag, remark: lines(200, '说明').optional() }),
    data: done,
  }),
}
