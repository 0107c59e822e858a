import { inChina, type Point, roundDegrees } from '@wattdeck/domain/geo.ts'
import { z } from 'zod'
import { enabledStatus, userType } from '../common.ts'
import { codes } from '../kit/codes.ts'
import { f, formOf } from '../kit/fields.ts'
import { defineList } from '../kit/list.ts'
import { page, PageQuery } from '../kit/page.ts'
import { type DataOf, done, get, post } from '../kit/route.ts'
import { id, idList, keyword, personKeyword, phone, row } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { ownerIds } from './ownership.ts'
import { regionFields } from './region.ts'

/** Maximum sites and staff of one area, corners of its polygon, and sites on its map. */
export const areaMost = { sites: 500, users: 200, corners: 100, points: 1000 }

/** '120.1,30.2;120.3,30.2;…' and back, because a form carries only text. */
export const polygonText = (corners: readonly Point[]) =>
  corners.map(({ lng, lat }) => `${roundDegrees(lng)},${roundDegrees(lat)}`).join(';')
export const cornersOf = (polygon: string): Point[] =>
  polygon.split(';').map((corner) => {
    const [lng = 0, lat = 0] = corner.split(',').map(Number)
    return { lng, lat }
  })

const corner = String.raw`\d{2,3}(\.\d{1,6})?,\d{1,2}(\.\d{1,6})?`
const polygon = z
  .string()
  .max(areaMost.corners * 24)
  .regex(new RegExp(`^${corner}(;${corner}){2,${areaMost.corners - 1}}$`), {
    error: `请圈选${areaMost.corners}个顶点以内的区域`,
    abort: true,
  })
  .refine((value) => cornersOf(value).every(inChina), '圈选的区域超出范围')

/** The range of offered sites. */
export const areaWhere = codes({ region: { code: 1, label: '区域所在省市区' }, all: { code: 2, label: '全部' } })

const menu = menuKey.operationArea
const module = '运营区域管理'
const { organiseId, agentId } = ownerIds

/** Areas assigned to staff. They divide work and do not affect the data scope. */
export const areaList = defineList('/seeker/api/operationArea', {
  menu,
  module,
  fields: {
    name: f.text('区域名称', 40, { width: 180 }),
    status: f.code('状态', enabledStatus, { width: 80 }),
    regionName: f.shown('省/市/区', { width: 200, optional: true }),
    leader: f.text('负责人', 30, { width: 100, optional: true }),
    phone: f.phone('电话', { width: 150 }),
    siteCount: f.count('站点数', { width: 90 }),
    deviceCount: f.count('设备数', { width: 90 }),
    userCount: f.count('人员数', { width: 90 }),
    organiseName: f.owner.organiseName,
    agentName: f.owner.agentName,
    remark: f.lines('备注', 300, { width: 180, optional: true, hidden: true }),
    ...f.audit,
    organiseId: f.ownerIds.organiseId,
    agentId: f.ownerIds.agentId,
    ...f.regionCodes,
  },
  decided: [
    ['name', 'regionName'],
    ['status'],
    ['leader', 'phone'],
    ['siteCount', 'deviceCount'],
    ['userCount'],
    ['organiseName', 'agentName'],
  ],
  filter: {
    keyword: { label: '区域名称', about: 'part of the name', contains: ['name'] },
    exact: ['status'],
    owner: ['organise', 'agent'],
    region: '省市区',
    order: ['keyword', 'region', 'owner', 'status'],
  },
})
export type OperationArea = DataOf<typeof areaList.routes.list>['rows'][number]

const fields = { ...formOf(areaList.fields, ['name', 'leader', 'phone', 'remark']), ...regionFields }
const named = z.array(row({ id: z.string(), name: z.string() }))

export const operationArea = {
  ...areaList.routes,
  add: post('/seeker/api/operationArea/save', {
    access: { menu, action: 'add' },
    audit: { module, does: '新增运营区域' },
    idempotent: true,
    body: row({ organiseId, agentId, ...fields }),
    data: row({ id: z.string() }),
  }),
  edit: post('/seeker/api/operationArea/update', {
    access: { menu, action: 'edit' },
    audit: { module, does: '编辑运营区域' },
    body: row({ id, ...fields, phone: phone.optional().describe('unchanged if omitted') }),
    data: done,
  }),
  toggle: post('/seeker/api/operationArea/toggle', {
    access: { menu, action: 'edit' },
    audit: { module, does: '启停运营区域' },
    body: row({ id, status: enabledStatus.wire }),
    data: done,
  }),
  remove: post('/seeker/api/operationArea/delete', {
    access: { menu, action: 'delete' },
    audit: { module, does: '删除运营区域' },
    body: row({ id }),
    data: done,
  }),
  /** The current assignments of an area within the scope of the caller. */
  assigned: get('/seeker/api/operationArea/{id}/assigned', {
    access: { menu },
    params: row({ id }),
    data: row({ sites: named, users: named, polygon: z.array(row({ lng: z.number(), lat: z.number() })) }),
  }),
  /** Sites that can be assigned: of the area's organisation, and of its agent if it has one. */
  sites: get('/seeker/api/operationArea/{id}/sites', {
    access: { menu },
    params: row({ id }),
    query: PageQuery.extend({
      keyword: keyword.optional().describe('part of the name, or the complete code'),
      where: areaWhere.wire.optional(),
    }),
    data: page(
      row({
        id: z.string(),
        code: z.string(),
        name: z.string(),
        agentName: z.string().nullable(),
        regionName: z.string().nullable(),
        located: z.boolean().describe('the site has a location'),
      }),
    ),
  }),
  /** The same for a map: sites with a location, in the region of the area. */
  points: get('/seeker/api/operationArea/{id}/points', {
    access: { menu },
    params: row({ id }),
    data: row({
      rows: z.array(row({ id: z.string(), name: z.string(), lng: z.number(), lat: z.number() })),
      more: z.boolean().describe('more sites exist than the map shows'),
    }),
  }),
  /** Staff who can be assigned, likewise. */
  users: get('/seeker/api/operationArea/{id}/users', {
    access: { menu },
    params: row({ id }),
    query: PageQuery.extend({
      keyword: personKeyword.optional().describe('part of the name or of the login name'),
      userType: userType.wire.optional(),
    }),
    data: page(
      row({
        id: z.string(),
        name: z.string(),
        loginName: z.string(),
        userType: userType.schema,
        agentName: z.string().nullable(),
        siteName: z.string().nullable(),
      }),
    ),
  }),
  assignSites: post('/seeker/api/operationArea/assignSites', {
    access: { menu, action: 'edit' },
    audit: { module, does: '分配站点' },
    body: row({
      id,
      siteIds: idList(areaMost.sites).optional().describe('complete list; empty if omitted'),
      polygon: polygon.optional().describe('polygon drawn on the map; none if omitted'),
    }),
    data: done,
  }),
  assignUsers: post('/seeker/api/operationArea/assignUsers', {
    access: { menu, action: 'edit' },
    audit: { module, does: '分配人员' },
    body: row({ id, userIds: idList(areaMost.users).optional().describe('complete list; empty if omitted') }),
    data: done,
  }),
}
