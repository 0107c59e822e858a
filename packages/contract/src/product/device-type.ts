import { z } from 'zod'
import { enabledStatus } from '../common.ts'
import { codes } from '../kit/codes.ts'
import { f } from '../kit/fields.ts'
import { defineList } from '../kit/list.ts'
import { type DataOf, get } from '../kit/route.ts'
import { screenRoutes } from '../kit/screen-routes.ts'
import { id, keyword, row, text, whole } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { choice, codePart } from './catalogue.ts'
import { protocolAdapter } from './dtu-protocol.ts'

/** The possible port counts of a device. */
export const portCount = codes({
  one: { code: 1, label: '1路' },
  two: { code: 2, label: '2路' },
  three: { code: 3, label: '3路' },
  six: { code: 6, label: '6路' },
  ten: { code: 10, label: '10路' },
  twelve: { code: 12, label: '12路' },
})

/** The metering of a device: energy, or only time. */
export const metering = codes({
  electric: { code: 0, label: '电量型' },
  timeBased: { code: 1, label: '时间型' },
})

const menu = menuKey.deviceType
const module = '设备类型'
const { change, remove } = screenRoutes({ menu, module, platform: true })

export const deviceTypeList = defineList('/seeker/api/deviceType', {
  menu,
  module,
  fields: {
    name: f.shown('类型名称', { width: 170 }),
    code: f.no('类型编码', { width: 120 }),
    categoryName: f.shown('设备大类', { width: 120 }),
    smallCategoryName: f.shown('设备小类', { width: 95 }),
    portCount: f.code('端口数', portCount, { width: 70 }),
    metering: f.code('计量方式', metering, { width: 85 }),
    ratedW: f.count('额定功率', { width: 80 }),
    status: f.code('状态', enabledStatus, { width: 70 }),
    protocolName: f.shown('协议', { width: 120 }),
    instructionSetName: f.shown('指令集', { optional: true, width: 140 }),
    attributeTemplateName: f.shown('属性模板', { optional: true, width: 180 }),
    maker: f.shown('厂家', { optional: true, width: 120 }),
    deviceCount: f.count('设备数', { width: 80, about: 'devices visible to the caller' }),
    ...f.audit,
    categoryId: f.data(z.string()),
    smallCategoryId: f.data(z.string()),
    protocolId: f.data(z.string()),
    instructionSetId: f.data(z.string().nullable()),
    attributeTemplateId: f.data(z.string().nullable()),
    pictureId: f.data(z.string().nullable()),
  },
  decided: [
    ['name', 'code'],
    ['categoryName', 'smallCategoryName'],
    ['portCount', 'metering'],
    ['ratedW'],
    ['status'],
    ['protocolName', 'instructionSetName'],
    ['attributeTemplateName', 'maker'],
    ['deviceCount'],
  ],
  filter: {
    own: {
      keyword: { title: '名称/编码', schema: keyword.describe('part of the name, or prefix of the code') },
      categoryId: { schema: id },
      smallCategoryId: { schema: id },
      protocolId: { schema: id },
    },
    exact: ['status'],
  },
})
export type DeviceType = DataOf<typeof deviceTypeList.routes.list>['rows'][number]

const fields = {
  name: text(40, '类型名称'),
  maker: text(40, '厂家').optional(),
  portCount: portCount.wire,
  metering: metering.wire,
  ratedW: whole(1, 1_000_000),
  protocolId: id,
  instructionSetId: id.optional(),
  pictureId: id.optional(),
}

const choices = z.array(
  row({
    ...choice,
    categoryId: z.string(),
    smallCategoryId: z.string(),
    portCount: portCount.schema,
    metering: metering.schema,
    adapter: protocolAdapter.schema.nullable(),
  }),
)
export type DeviceTypeChoice = z.infer<typeof choices>[number]

export const deviceType = {
  /** Enabled types to choose from. Devices of a type without an adapter cannot be added yet. */
  all: get('/seeker/api/deviceService/getDeviceTypeList', {
    access: 'anyone',
    query: row({
      organiseId: id.optional().describe('only types of its devices visible to the caller; default: all types'),
    }),
    // The specification has a plain list for administrators, and a wrapped list for an organisation.
    data: z.union([choices, row({ deviceTypeList: choices })]),
  }),
  ...deviceTypeList.routes,
  add: change(
    '/seeker/api/deviceType/save',
    '新增设备类型',
    {
      smallCategoryId: id,
      modelNo: codePart('型号编码').optional().describe('last part of its code; default: the next free one'),
      attributeTemplateId: id.optional(),
      ...fields,
    },
    { action: 'add', idempotent: true, data: row({ id: z.string(), code: z.string() }) },
  ),
  edit: change('/seeker/api/deviceType/update', '编辑设备类型', { id, ...fields }),
  bindTemplate: change('/seeker/api/deviceType/bindTemplate', '关联属性模板', {
    id,
    attributeTemplateId: id.optional().describe('none if omitted'),
  }),
  toggle: change('/seeker/api/deviceType/toggle', '启停设备类型', { id, status: enabledStatus.wire }),
  remove: remove('/seeker/api/deviceType/delete', '删除设备类型'),
}

/** The types in either reply of `all`. */
export const deviceTypesOf = (answer: DataOf<typeof deviceType.all>): DeviceTypeChoice[] =>
  Array.isArray(answer) ? answer : answer.deviceTypeList
