import { sheetMaxBytes } from '@wattdeck/domain/limits.ts'
import { z } from 'zod'
import { enabledStatus } from '../common.ts'
import { exportList, startBatch } from '../kit/bulk.ts'
import { codes } from '../kit/codes.ts'
import { page, PageQuery } from '../kit/page.ts'
import { personal } from '../kit/personal.ts'
import { asFile, done, get, post } from '../kit/route.ts'
import { date, decimal, flag, id, idList, keyword, lines, phone, row, text, time, whole } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { ImportSheet } from './batch.ts'
import { regionFields, regionFilter } from './region.ts'

export const siteType = codes({
  residential: { code: 1, label: '小区' },
  commercial: { code: 2, label: '商业' },
  school: { code: 3, label: '学校' },
  park: { code: 4, label: '园区' },
  street: { code: 5, label: '公共街道' },
})

/** How the grid prices the energy of a site. */
export const priceType = codes({
  residential: { code: 1, label: '居民' },
  commercial: { code: 2, label: '一般工商业' },
  industrial: { code: 3, label: '大工业' },
  agricultural: { code: 4, label: '农业' },
})

export type Site = z.infer<typeof Site>
export const Site = row({
  id: z.string(),
  code: z.string(),
  name: z.string(),
  type: siteType.schema,
  organiseId: z.string(),
  organiseName: z.string(),
  agentId: z.string().nullable(),
  agentName: z.string().nullable(),
  provinceCode: z.string().nullable(),
  cityCode: z.string().nullable(),
  districtCode: z.string().nullable(),
  regionName: z.string().nullable(),
  address: z.string().nullable(),
  lng: z.number().nullable(),
  lat: z.number().nullable(),
  contact: z.string().nullable(),
  phone: personal('phone').nullable(),
  deviceCount: z.int(),
  tariffName: z.string().nullable(),
  parkingSpaces: z.int(),
  capacityKva: z.int(),
  parkingNote: z.string().nullable(),
  openHours: z.string(),
  priceType: priceType.schema,
  insured: z.boolean(),
  insuredUntil: z.string().nullable(),
  pictureIds: z.array(z.string()),
  remark: z.string().nullable(),
  status: enabledStatus.schema,
  createdBy: z.string().nullable(),
  createdAt: time,
  updatedAt: time,
})

/** What the list shows and a file holds. */
export const siteColumns = {
  code: '站点编号',
  name: '站点名称',
  type: '类型',
  region: '省市区',
  address: '地址',
  location: '经纬度',
  organiseName: '所属机构',
  agentName: '所属代理商',
  contact: '负责人',
  phone: '电话',
  deviceCount: '设备数',
  tariffName: '消费标准',
  parkingSpaces: '车位数',
  capacityKva: '报装容量(kVA)',
  priceType: '电价类型',
  parkingNote: '停车费说明',
  openHours: '营业时间',
  insurance: '保险',
  status: '状态',
  remark: '备注',
  createdBy: '创建人',
  createdAt: '创建时间',
  updatedAt: '更新时间',
} as const

export const openHours = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d-(([01]\d|2[0-3]):[0-5]\d|24:00)$/, '请输入正确的营业时间，如 06:00-23:00')

const menu = menuKey.site
const module = '站点管理'

export const siteFields = {
  code: z
    .string()
    .regex(/^[\w-]{2,30}$/, '站点编号为2-30位字母、数字、下划线或短横线')
    .optional()
    .describe('left out: the next number'),
  name: text(60, '站点名称'),
  type: siteType.wire,
  agentId: id.optional(),
  ...regionFields,
  address: text(120, '地址').optional(),
  lng: decimal(73, 136, 6, '经度').optional(),
  lat: decimal(3, 54, 6, '纬度').optional(),
  contact: text(30, '负责人').optional(),
  phone: phone.optional(),
  parkingSpaces: whole(0, 100_000).optional(),
  capacityKva: whole(0, 1_000_000).optional(),
  parkingNote: text(200, '停车费说明').optional(),
  openHours: openHours.optional(),
  priceType: priceType.wire.optional(),
  insured: flag.optional(),
  insuredUntil: date.optional(),
  pictureIds: idList(6).optional(),
  remark: lines(300, '备注').optional(),
}

export const siteQuery = {
  keyword: keyword.optional().describe('a part of the name, or how the code begins'),
  organiseId: id.optional(),
  agentId: id.optional(),
  ...regionFilter,
  type: siteType.wire.optional(),
  status: enabledStatus.wire.optional(),
}

export const site = {
  list: get('/seeker/api/plot/pageList', {
    access: { menu },
    query: PageQuery.extend(siteQuery),
    data: page(Site),
  }),
  totals: get('/seeker/api/plot/totals', {
    access: { menu },
    query: row(siteQuery),
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
    body: row({ id, ...siteFields, phone: phone.optional().describe('left out: unchanged') }),
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
      priceType: priceType.wire.optional(),
      parkingNote: text(200, '停车费说明').optional(),
    },
  }),
  exportList: exportList('/seeker/api/plot/export', { menu, module }),
  importTemplate: get('/seeker/api/plot/importTemplate', { access: { menu, action: 'import' }, ...asFile }),
  importSheet: post('/seeker/api/plot/import', {
    access: { menu, action: 'import' },
    audit: { module, does: '上传导入表格' },
    encoding: 'multipart',
    maxBytes: sheetMaxBytes,
    data: ImportSheet,
  }),
}
