import { sheetMaxBytes } from '@wattdeck/domain/limits.ts'
import { z } from 'zod'
import { enabledStatus } from '../common.ts'
import { exportList, filterText, startBatch } from '../kit/bulk.ts'
import { page, PageQuery, sortBy } from '../kit/page.ts'
import { asFile, done, get, post } from '../kit/route.ts'
import { date, decimal, flag, id, idList, keyword, lines, row, text, time } from '../kit/wire.ts'
import { menuKey, orderMenus } from '../menu-keys.ts'
import { ImportSheet } from '../system/batch.ts'
import { regionFilter } from '../system/region.ts'
import { deviceServiceStatus, installStatus, lineStatus, onlineStatus, plugStatus } from './device-codes.ts'

/** The device fields shared by list and detail. */
export const deviceShape = {
  id: z.string(),
  deviceNo: z.string(),
  name: z.string(),
  imei: z.string().nullable(),
  iccid: z.string().nullable(),
  categoryName: z.string(),
  smallCategoryName: z.string(),
  deviceTypeId: z.string(),
  typeName: z.string(),
  typeCode: z.string(),
  protocolName: z.string(),
  organiseId: z.string(),
  organiseName: z.string(),
  agentId: z.string().nullable(),
  agentName: z.string().nullable(),
  siteId: z.string().nullable(),
  siteName: z.string().nullable(),
  tariffId: z.string().nullable(),
  tariffName: z.string().nullable().describe('name of the tariff in use; null: charging is impossible'),
  tariffOfSite: z.boolean().describe('inherited from the site, without a tariff of its own'),
  portCount: z.int(),
  online: z.boolean(),
  lastSeenAt: time.nullable(),
  csq: z.int().nullable().describe('mobile signal strength, 0 to 31; 99: unknown'),
  softwareVersion: z.string().nullable(),
  hardwareVersion: z.string().nullable(),
  installStatus: installStatus.schema,
  lineStatus: lineStatus.schema.describe('0: nothing starts on it until a user confirms its first connection'),
  installedBy: z.string().nullable(),
  installedAt: time.nullable(),
  serviceUntil: date,
  serviceStatus: deviceServiceStatus.schema,
  lng: z.number().nullable(),
  lat: z.number().nullable(),
  status: enabledStatus.schema,
  remark: z.string().nullable(),
  createdBy: z.string().nullable(),
  createdAt: time,
  updatedAt: time,
}

export type Device = z.infer<typeof Device>
export const Device = row({
  ...deviceShape,
  ports: z.array(row({ portNo: z.int(), status: plugStatus.schema })),
})

/** The columns of the list and of the exported file. */
export const deviceColumns = {
  deviceNo: '设备编号',
  name: '设备名称',
  online: '在线状态',
  ports: '端口状态',
  portCount: '端口数',
  csq: '信号强度',
  lastSeenAt: '最近通信',
  categoryName: '设备大类',
  smallCategoryName: '设备小类',
  typeName: '设备型号',
  organiseName: '所属机构',
  agentName: '所属代理商',
  siteName: '所属站点',
  tariffName: '消费标准',
  imei: 'IMEI',
  iccid: 'ICCID',
  softwareVersion: '软件版本',
  hardwareVersion: '硬件版本',
  protocolName: '协议',
  installStatus: '安装状态',
  lineStatus: '接入确认',
  installedBy: '安装人',
  installedAt: '安装时间',
  serviceUntil: '基础服务到期',
  serviceStatus: '服务状态',
  location: '经纬度',
  status: '状态',
  remark: '备注',
  createdBy: '创建人',
  createdAt: '创建时间',
  updatedAt: '更新时间',
} as const

/** The hierarchy of device kinds: big categories, small categories, models. */
export type DeviceClass = z.infer<typeof DeviceClass>
const DeviceClass = row({
  id: z.string(),
  code: z.string(),
  name: z.string(),
  children: z.array(
    row({
      id: z.string(),
      code: z.string(),
      name: z.string(),
      types: z.array(
        row({
          id: z.string(),
          code: z.string(),
          name: z.string(),
          portCount: z.int(),
          usable: z.boolean().describe('available for new devices: enabled, with a supported protocol'),
        }),
      ),
    }),
  ),
})

const menu = menuKey.deviceManage
const module = '设备管理'

export const deviceNumber = z.string().regex(/^[0-9A-Za-z]{4,32}$/, '设备编号为4-32位字母或数字')
const wireId = z.string().regex(/^[0-9A-Za-z]{4,32}$/, '通信标识为4-32位字母或数字')

export const deviceFields = {
  name: text(60, '设备名称'),
  deviceTypeId: id,
  imei: z
    .string()
    .regex(/^\d{15}$/, '请输入15位IMEI')
    .optional(),
  iccid: z
    .string()
    .regex(/^[0-9A-Fa-f]{19,20}$/, '请输入19或20位ICCID')
    .transform((digits) => digits.toUpperCase())
    .optional(),
  wireId: wireId.optional().describe('identifier reported by the device; derived from its number if omitted'),
  hardwareVersion: text(30, '硬件版本').optional(),
  lng: decimal(73, 136, 6, '经度').optional(),
  lat: decimal(3, 54, 6, '纬度').optional(),
  remark: lines(300, '备注').optional(),
}

export const deviceQuery = {
  keyword: keyword.optional().describe('prefix of the number, name, IMEI or ICCID'),
  organiseId: id.optional(),
  agentId: id.optional(),
  siteId: id.optional(),
  categoryId: id.optional(),
  smallCategoryId: id.optional(),
  deviceTypeId: id.optional(),
  online: onlineStatus.wire.optional(),
  plugStatus: plugStatus.wire.optional().describe('with at least one port in this status'),
  softwareVersion: keyword.optional().describe('exact version'),
  serviceStatus: deviceServiceStatus.wire.optional(),
  serviceFrom: date.optional(),
  serviceTo: date.optional(),
  installStatus: installStatus.wire.optional(),
  lineStatus: lineStatus.wire.optional(),
  status: enabledStatus.wire.optional(),
  ...regionFilter,
  createdFrom: date.optional(),
  createdTo: date.optional(),
}

const place = { organiseId: id.optional(), agentId: id.optional(), siteId: id.optional() }

export const deviceManage = {
  list: get('/seeker/api/deviceManager/pageList', {
    access: { menu },
    query: PageQuery.extend({ sort: sortBy(['serviceUntil', 'createdAt']), ...deviceQuery }),
    data: page(Device),
  }),
  totals: get('/seeker/api/deviceManager/totals', {
    access: { menu },
    query: row(deviceQuery),
    data: row({
      count: z.int(),
      sums: row({
        ports: z.string(),
        online: z.string(),
        free: z.string(),
        working: z.string(),
        fault: z.string(),
      }),
    }),
  }),
  deviceClass: get('/seeker/api/deviceManage/deviceClass', {
    access: { menu: [menu, ...orderMenus] },
    data: z.array(DeviceClass),
  }),
  add: post('/seeker/api/deviceManager/save', {
    access: { menu, action: 'add' },
    audit: { module, does: '新增设备' },
    idempotent: true,
    body: row({ deviceNo: deviceNumber, ...deviceFields, ...place, serviceUntil: date.optional() }),
    data: row({ id: z.string() }),
  }),
  edit: post('/seeker/api/deviceManager/update', {
    access: { menu, action: 'edit' },
    audit: { module, does: '编辑设备' },
    body: row({ id, ...deviceFields }),
    data: done,
  }),
  /** Confirms that the device connected under this number is the one on site. */
  confirmLine: post('/seeker/api/deviceManager/confirmFirstConnection', {
    access: { menu, action: 'edit' },
    audit: { module, does: '确认首次接入' },
    body: row({ id }),
    data: done,
  }),
  remove: post('/seeker/api/deviceManager/delete', {
    access: { menu, action: 'delete' },
    audit: { module, does: '删除设备' },
    body: row({ ids: idList() }),
    data: row({ changed: z.int() }),
  }),
  /** Moves devices to another site, agent or organisation; to another organisation only by the platform. */
  changePlot: startBatch('/seeker/api/deviceManager/changePlot', {
    menu,
    action: 'edit',
    module,
    does: '更换站点',
    body: {
      ...place,
      syncTariff: flag.optional().describe('use the tariff of the new site; requires the right to set tariffs'),
    },
    keyless: true,
  }),
  /** Platform only: an organisation must not set the end of its own service. */
  serviceTime: startBatch('/seeker/api/deviceManage/updateDeviceServiceTime', {
    menu,
    action: 'edit',
    module,
    does: '修改服务时间',
    body: { serviceUntil: date, reason: text(100, '原因') },
    keyless: true,
  }),
  /** The service fee of the selected devices by the terms of their organisation. */
  serviceFee: post('/seeker/api/deviceManage/serviceFeeBillSeletedCount', {
    access: { menu },
    audit: { module, does: '续费试算' },
    encoding: 'json',
    timeoutMs: 5000,
    body: row({ ids: z.array(id).min(1).max(500).optional(), filter: filterText.optional() }),
    data: row({
      count: z.int(),
      organises: z.int().describe('number of their organisations; only devices of one can be paid together'),
      organiseName: z.string().nullable().describe('null for several organisations'),
      terms: row({
        unitPrice: z.string().describe('in yuan per device and year'),
        cycle: z.int().describe('in months'),
        freeDevices: z.int(),
        organiseDevices: z.int().describe('all devices of the organisation'),
      })
        .nullable()
        .describe('null: several organisations, or no terms agreed'),
      chargeable: z.int().nullable(),
      due: z.string().nullable().describe('in yuan per cycle'),
    }),
  }),
  exportList: exportList('/seeker/api/deviceManager/export', { menu, module }),
  importTemplate: get('/seeker/api/deviceManager/importTemplate', { access: { menu, action: 'import' }, ...asFile }),
  importSheet: post('/seeker/api/deviceManager/import', {
    access: { menu, action: 'import' },
    audit: { module, does: '上传导入表格' },
    encoding: 'multipart',
    maxBytes: sheetMaxBytes,
    data: ImportSheet,
  }),
}
