import { z } from 'zod'
import { enabledStatus } from '../common.ts'
import { exportList, startBatch } from '../kit/bulk.ts'
import { codes } from '../kit/codes.ts'
import { page, PageQuery } from '../kit/page.ts'
import { get } from '../kit/route.ts'
import { created, screenRoutes } from '../kit/screen-routes.ts'
import { id, keyword, row, text, time } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { TariffSheet } from './tariff-sheet.ts'

export const billingType = codes({
  energy: { code: 0, label: '按电量' },
  time: { code: 1, label: '按时间' },
  power: { code: 2, label: '按功率' },
})

export const versionState = codes({
  draft: { code: 0, label: '草稿', tone: 'off' },
  scheduled: { code: 1, label: '待生效', tone: 'book' },
  inForce: { code: 2, label: '生效中', tone: 'ok' },
  replaced: { code: 3, label: '已被替代', tone: 'off' },
  withdrawn: { code: 4, label: '已撤销', tone: 'off' },
})
/** A version that was in force never becomes a draft again, because bills depend on it. */
export const versionFlow = versionState.flow({
  schedule: { from: ['draft'], to: 'scheduled' },
  publish: { from: ['draft', 'scheduled'], to: 'inForce' },
  replace: { from: ['inForce'], to: 'replaced' },
  withdraw: { from: ['scheduled'], to: 'withdrawn' },
})

export type ConsumptionStandard = z.infer<typeof ConsumptionStandard>
export const ConsumptionStandard = row({
  id: z.string(),
  name: z.string(),
  billingType: billingType.schema,
  prices: z.string().describe('prices of the version in force, otherwise of the draft'),
  segmentCount: z.int().nullable().describe('null: prices do not depend on the time of day'),
  presets: z.string(),
  startFee: z.string(),
  minFee: z.string(),
  maxMinutes: z.int(),
  fullStop: z.boolean(),
  refundUnused: z.boolean(),
  deviceTypeIds: z.array(z.string()).describe('empty: all'),
  deviceTypeNames: z.array(z.string()),
  organiseId: z.string(),
  organiseName: z.string(),
  agentId: z.string().nullable(),
  agentName: z.string().nullable(),
  siteId: z.string().nullable(),
  siteName: z.string().nullable(),
  deviceCount: z.int().describe('devices with this tariff, bound directly or by their site'),
  siteCount: z.int(),
  versionNo: z.int().nullable(),
  effectiveAt: time.nullable(),
  nextNo: z.int().nullable(),
  nextAt: time.nullable(),
  draftNo: z.int().nullable(),
  status: enabledStatus.schema,
  createdBy: z.string().nullable(),
  createdAt: time,
  updatedAt: time,
})

/** The columns of the list and of the exported file. */
export const standardColumns = {
  name: '名称',
  billingType: '计费类型',
  prices: '价格',
  segmentCount: '时段数',
  presets: '档位',
  startFee: '起充金额(元)',
  minFee: '最低消费(元)',
  maxMinutes: '最长时长(分钟)',
  fullStop: '充满自停',
  refundUnused: '未用退款',
  deviceTypeNames: '适用设备类型',
  organiseName: '所属机构',
  agentName: '所属代理商',
  siteName: '所属站点',
  deviceCount: '绑定设备数',
  siteCount: '绑定站点数',
  versionNo: '当前版本',
  next: '待生效版本',
  status: '状态',
  createdBy: '创建人',
  createdAt: '创建时间',
  updatedAt: '更新时间',
} as const

export type TariffVersion = z.infer<typeof TariffVersion>
export const TariffVersion = row({
  id: z.string(),
  no: z.int(),
  state: versionState.schema,
  effectiveAt: time.nullable(),
  publishedBy: z.string().nullable(),
  publishedAt: time.nullable(),
  createdBy: z.string().nullable(),
  createdAt: time,
  displayText: z.string(),
  changes: z
    .array(row({ kind: z.enum(['added', 'removed']), line: z.string() }))
    .nullable()
    .describe('compared with the version in force before; null: none'),
})

const Sheet = row({ versionId: z.string(), no: z.int(), state: versionState.schema, sheet: TariffSheet })
/** One tariff with all data of the editor. */
export type StandardDetail = z.infer<typeof StandardDetail>
export const StandardDetail = row({
  id: z.string(),
  name: z.string(),
  billingType: billingType.schema,
  deviceTypeIds: z.array(z.string()),
  organiseId: z.string(),
  status: enabledStatus.schema,
  own: z.boolean().describe('the caller may change the tariff'),
  adapters: z.array(z.string()).describe('protocols of the devices with this tariff'),
  inForce: Sheet.nullable(),
  scheduled: Sheet.extend({ effectiveAt: time }).nullable(),
  draft: Sheet.nullable(),
})

/** A time in Asia/Shanghai, to the minute. */
const minute = z
  .string()
  .regex(/^20\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01]) ([01]\d|2[0-3]):[0-5]\d$/, '请输入正确的生效时间')
  .refine((value) => {
    const at = new Date(`${value.replace(' ', 'T')}:00Z`)
    return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(value.slice(0, 10))
  }, '请输入正确的生效时间')

const menu = menuKey.consumptionStandard
const module = '消费标准'
const { read, change, changeMany, create } = screenRoutes({ menu, module })
const content = { name: text(40, '名称'), deviceTypeIds: z.array(id).max(200).default([]), rules: TariffSheet }
const place = { organiseId: id.optional(), agentId: id.optional(), siteId: id.optional() }
const bound = { tariffId: id.optional().describe('omit to unbind') }

export const standardQuery = {
  keyword: keyword.optional().describe('a part of the name'),
  billingType: billingType.wire.optional(),
  organiseId: id.optional(),
  agentId: id.optional(),
  siteId: id.optional(),
  status: enabledStatus.wire.optional(),
}

export const consumptionStandard = {
  list: read('/seeker/api/consumptionStandard/pageList', {
    query: PageQuery.extend(standardQuery),
    data: page(ConsumptionStandard),
  }),
  read: read('/seeker/api/consumptionStandard/detail/{id}', {
    params: row({ id }),
    data: StandardDetail,
  }),
  versions: read('/seeker/api/consumptionStandard/versions/{id}', {
    params: row({ id }),
    query: PageQuery,
    data: page(TariffVersion),
  }),
  /** Models that a tariff may apply to, with their protocol adapter. */
  deviceTypes: read('/seeker/api/consumptionStandard/deviceTypes', {
    data: z.array(row({ id: z.string(), name: z.string(), adapter: z.string() })),
  }),
  /** Tariffs that may be bound: enabled, with a version in force. */
  options: get('/seeker/api/consumptionStandard/options', {
    access: { menu: [menu, menuKey.deviceManage, menuKey.site] },
    query: row({ organiseId: id.optional(), keyword: keyword.optional() }),
    data: z.array(row({ id: z.string(), name: z.string(), prices: z.string(), organiseName: z.string() })),
  }),
  add: change(
    '/seeker/api/consumptionStandard/save',
    '新增消费标准',
    { ...content, ...place },
    { action: 'add', idempotent: true, encoding: 'json', data: created },
  ),
  /** The version in force stays unchanged: new rules become the draft of the next version. */
  edit: change('/seeker/api/consumptionStandard/update', '编辑消费标准', { id, ...content }, { encoding: 'json' }),
  copy: create('/seeker/api/consumptionStandard/copy', '复制消费标准', { id, name: text(40, '名称') }),
  toggle: changeMany('/seeker/api/consumptionStandard/toggle', '启停消费标准', { status: enabledStatus.wire }),
  remove: changeMany('/seeker/api/consumptionStandard/delete', '删除消费标准', {}, 'delete'),
  discard: change('/seeker/api/consumptionStandard/discardDraft', '放弃草稿', { id, versionId: id }),
  /** Optimistic lock: names the displayed version, so a draft changed meanwhile is refused. */
  publish: change(
    '/seeker/api/consumptionStandard/publish',
    '发布消费标准',
    { id, versionId: id, effectiveAt: minute.optional().describe('now if omitted') },
    { action: 'setStandard' },
  ),
  withdraw: change(
    '/seeker/api/consumptionStandard/withdraw',
    '撤销待生效版本',
    { id, versionId: id },
    { action: 'setStandard' },
  ),
  bindDevices: startBatch('/seeker/api/consumptionStandard/bindDevices', {
    menu: menuKey.deviceManage,
    action: 'setStandard',
    module,
    does: '设置设备的消费标准',
    body: bound,
  }),
  bindSites: startBatch('/seeker/api/consumptionStandard/bindSites', {
    menu: menuKey.site,
    action: 'setStandard',
    module,
    does: '批量改站点的消费标准',
    body: bound,
  }),
  exportList: exportList('/seeker/api/consumptionStandard/export', { menu, module }),
}
