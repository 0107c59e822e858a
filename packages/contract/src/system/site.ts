import { sheetMaxBytes } from '@wattdeck/domain/limits.ts'
import { z } from 'zod'
import { enabledStatus } from '../common.ts'
import { startBatch } from '../kit/bulk.ts'
import { codes } from '../kit/codes.ts'
import { f, formOf } from '../kit/fields.ts'
import { defineList } from '../kit/list.ts'
import { asFile, type DataOf, done, get, post } from '../kit/route.ts'
import { date, decimal, flag, id, idList, phone, row } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { plugStatus } from '../product/device-codes.ts'
import { ImportSheet } from './batch.ts'
import { regionFields } from './region.ts'

export const siteType = codes({
  residential: { code: 1, label: '小区' },
  commercial: { code: 2, label: '商业' },
  school: { code: 3, label: '学校' },
  park: { code: 4, label: '园区' },
  street: { code: 5, label: '公共街道' },
})

/** The grid price category of a site. */
export const priceType = codes({
  residential: { code: 1, label: '居民' },
  commercial: { code: 2, label: '一般工商业' },
  industrial: { code: 3, label: '大工业' },
  agricultural: { code: 4, label: '农业' },
})

/** Ports of a site by state, as last reported by their devices. */
export type PortCounts = z.infer<typeof PortCounts>
const PortCounts = row({ free: z.int(), working: z.int(), fault: z.int() })
export const countedPlugs = ['free', 'working', 'fault'] as const
const portCountsText = (counts: PortCounts) =>
  countedPlugs.map((name) => `${plugStatus.show(plugStatus.code[name]).label} ${counts[name]}`).join('，')

const module = '站点管理'
const menu = menuKey.site

const fields = {
  name: f.text('站点名称', 60, { width: 180, object: { kind: 'site', id: 'id' } }),
  status: f.code('状态', enabledStatus, { width: 80 }),
  code: f.id('站点编号', z.string().regex(/^[\w-]{2,30}$/, '站点编号为2-30位字母、数字、下划线或短横线'), {
    width: 120,
  }),
  type: f.code('类型', siteType, { width: 90 }),
  regionName: f.shown('省市区', { width: 190, optional: true }),
  address: f.text('地址', 120, { width: 200, optional: true }),
  agentName: f.shown('所属代理商', { width: 130, optional: true }),
  organiseName: f.owner.organiseName,
  contact: f.text('负责人', 30, { width: 90, optional: true }),
  phone: f.phone('电话', { width: 150 }),
  deviceCount: f.count('设备数', { width: 80 }),
  ports: f.value('端口', PortCounts, portCountsText, { width: 230 }),
  tariffName: f.shown('消费标准', { width: 150, optional: true, object: { kind: 'tariff', id: 'tariffId' } }),
  parkingSpaces: f.whole('车位数', 0, 100_000, { width: 90, optional: 'form' }),
  capacityKva: f.whole('报装容量(kVA)', 0, 1_000_000, { width: 120, hidden: true, optional: 'form' }),
  priceType: f.code('电价类型', priceType, { width: 110, optional: 'form' }),
  openHours: f.shown('营业时间', { width: 120 }),
  location: f.derived(
    '经纬度',
    ({ lng, lat }: { lng: number | null; lat: number | null }) =>
      lng === null || lat === null ? null : `${lng},${lat}`,
    { width: 180, hidden: true },
  ),
  parkingNote: f.text('停车费说明', 200, { width: 180, hidden: true, optional: true }),
  insurance: f.derived(
    '保险',
    ({ insured, insuredUntil }: { insured: boolean; insuredUntil: string | null }) =>
      insured ? `已投保${insuredUntil === null ? '' : `，至${insuredUntil}`}` : '未投保',
    { width: 110, hidden: true },
  ),
  remark: f.lines('备注', 300, { width: 180, hidden: true, optional: true }),
  ...f.audit,
  organiseId: f.ownerIds.organiseId,
  tariffId: f.data(z.string().nullable()),
  agentId: f.ownerIds.agentId,
  ...f.regionCodes,
  lng: f.data(z.number().nullable()),
  lat: f.data(z.number().nullable()),
  insured: f.data(z.boolean()),
  insuredUntil: f.data(z.string().nullable()),
  pictureIds: f.data(z.array(z.string())),
}

export const siteList = defineList('/seeker/api/plot', {
  menu,
  module,
  fields,
  decided: [
    ['name', 'code'],
    ['status', 'type'],
    ['address', 'regionName'],
    ['contact', 'phone'],
    ['ports', 'deviceCount'],
    ['tariffName', 'agentName'],
    ['organiseName'],
  ],
  filter: {
    keyword: { label: '名称/编号', about: 'part of the name, or prefix of the code' },
    own: { siteId: { schema: id.describe('a single site, for links') } },
    exact: ['type', 'status'],
    owner: ['organise', 'agent'],
    region: '区域',
    order: ['keyword', 'owner', 'region', 'type', 'status'],
  },
  exports: true,
})
export type Site = DataOf<typeof siteList.routes.list>['rows'][number]

export const openHours = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d-(([01]\d|2[0-3]):[0-5]\d|24:00)$/, '请输入正确的营业时间，如 06:00-23:00')

export const siteFields = {
  ...formOf(fields, ['name', 'type', 'address', 'contact', 'phone', 'remark']),
  ...formOf(fields, ['parkingSpaces', 'capacityKva', 'parkingNote', 'priceType']),
  code: fields.code.in.optional().describe('default: the next number'),
  agentId: id.optional(),
  ...regionFields,
  lng: decimal(73, 136, 6, '经度').optional(),
  lat: decimal(3, 54, 6, '纬度').optional(),
  openHours: openHours.optional(),
  insured: flag.optional(),
  insuredUntil: date.optional(),
  pictureIds: idList(6).optional(),
}

export const site = {
  ...siteList.routes,
  totals: get('/seeker/api/plot/totals', {
    access: { menu },
    query: row(siteList.filterShape),
    data: row({ count: z.int(), sums: row({ parkingSpaces: z.string(), capacityKva: z.string() }) }),
  }),
  add: post('/seeker/api/plot/save', {
    access: { menu, action: 'add' },
    audit: { module, does: '新增站点' },
    idempotent: true,
    body: row({ ...siteFields, organiseId: id.optional() }),
    data: row({ id: z.string() }),
  }),
  edit: post('/seeker/api/plot/update', {
    access: { menu, action: 'edit' },
    audit: { module, does: '编辑站点' },
    body: row({ id, ...siteFields, phone: phone.optional().describe('unchanged if omitted') }),
    data: done,
  }),
  toggle: post('/seeker/api/plot/toggle', {
    access: { menu, action: 'edit' },
    audit: { module, does: '启停站点' },
    body: row({ ids: idList(), status: enabledStatus.wire }),
    data: row({ changed: z.int() }),
  }),
  remove: post('/seeker/api/plot/delete', {
    access: { menu, action: 'delete' },
    audit: { module, does: '删除站点' },
    body: row({ ids: idList() }),
    data: row({ changed: z.int() }),
  }),
  batchToggle: startBatch('/seeker/api/plot/batchToggle', {
    menu,
    action: 'edit',
    module,
    does: '批量启停站点',
    body: { status: enabledStatus.wire },
  }),
  batchTransfer: startBatch('/seeker/api/plot/batchTransfer', {
    menu,
    action: 'edit',
    module,
    does: '批量转移站点',
    body: { agentId: id },
  }),
  batchEdit: startBatch('/seeker/api/plot/batchEdit', {
    menu,
    action: 'edit',
    module,
    does: '批量修改站点',
    body: {
      openHours: openHours.optional(),
      priceType: siteFields.priceType,
      parkingNote: siteFields.parkingNote,
    },
  }),
  importTemplate: get('/seeker/api/plot/importTemplate', { access: { menu, action: 'import' }, ...asFile }),
  importSheet: post('/seeker/api/plot/import', {
    access: { menu, action: 'import' },
    audit: { module, does: '上传导入表格' },
    encoding: 'multipart',
    maxBytes: sheetMaxBytes,
    data: ImportSheet,
  }),
}
