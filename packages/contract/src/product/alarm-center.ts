import { z } from 'zod'
import { userType } from '../common.ts'
import { f, rowOf } from '../kit/fields.ts'
import { defineList } from '../kit/list.ts'
import { page, PageQuery } from '../kit/page.ts'
import { type DataOf, get } from '../kit/route.ts'
import { screenRoutes } from '../kit/screen-routes.ts'
import { adcode, flag, id, keyword, row, text, whole } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import {
  alarmDetailText,
  alarmKind,
  alarmSeverity,
  alarmStatus,
  causeDimension,
  incidentStatus,
  shortOrderMaxMin,
  unclosedAlarms,
} from './alarm-codes.ts'

const menu = menuKey.alarmCenter
const module = '告警中心'
const { read, change, changeMany } = screenRoutes({ menu, module })

export const alarmList = defineList('/seeker/api/alarm', {
  menu,
  module,
  fields: {
    kind: f.code('告警类型', alarmKind, { width: 130 }),
    severity: f.code('级别', alarmSeverity, { width: 80 }),
    status: f.code('状态', alarmStatus, { width: 90 }),
    lastAt: f.time('最近发生', { width: 110 }),
    deviceNo: f.shown('设备编号', { width: 140, object: { kind: 'device', id: 'deviceId' } }),
    deviceName: f.shown('设备名称', {
      optional: true,
      width: 150,
      object: { kind: 'device', id: 'deviceId' },
      about: 'null: the device now belongs to another owner',
    }),
    portNo: f.count('端口', { optional: true, width: 70, about: 'null: the whole device' }),
    detail: f.value('说明', z.record(z.string(), z.unknown()), alarmDetailText, { width: 150 }),
    count: f.count('次数', { width: 70, about: 'number of occurrences' }),
    firstAt: f.time('首次发生', { width: 180 }),
    healthySince: f.time('恢复时间', { optional: true, width: 180 }),
    ...f.owner,
    ticketNo: f.shown('维修工单', { optional: true, width: 130, object: { kind: 'ticket', id: 'ticketId' } }),
    attempts: f.count('自动恢复', {
      width: 90,
      hidden: true,
      about: 'number of automatic recovery attempts',
    }),
    acknowledgedBy: f.shown('确认人', { optional: true, width: 100, hidden: true }),
    acknowledgedAt: f.time('确认时间', { optional: true, width: 180, hidden: true }),
    closedBy: f.shown('关闭人', { optional: true, width: 100, hidden: true }),
    closedAt: f.time('关闭时间', { optional: true, width: 180, hidden: true }),
    closeReason: f.shown('关闭原因', { optional: true, width: 220, hidden: true }),
    deviceId: f.data(z.string()),
    incidentId: f.data(z.string().nullable()),
    ticketId: f.data(z.string().nullable()),
  },
  decided: [
    ['kind', 'detail'],
    ['severity', 'status'],
    ['lastAt', 'firstAt'],
    ['deviceNo', 'deviceName'],
    ['portNo', 'count'],
    ['siteName', 'agentName'],
    ['ticketNo', 'acknowledgedBy'],
  ],
  filter: {
    own: {
      keyword: { title: '设备编号', schema: keyword.describe('prefix of the device number') },
      unclosed: { schema: unclosedAlarms.wire.describe('open or acknowledged') },
      incidentId: { schema: id },
      alarmId: { schema: id.describe('a single alarm, for links') },
      provinceCode: { schema: adcode },
      cityCode: { schema: adcode },
      districtCode: { schema: adcode },
    },
    exact: ['kind', 'severity', 'status'],
    owner: ['organise', 'agent', 'site'],
    days: 'lastAt',
  },
  exports: true,
})
export type Alarm = DataOf<typeof alarmList.routes.list>['rows'][number]

/** Incidents: alarms with a common cause. */
export const incidentList = defineList('/seeker/api/alarmIncident', {
  menu,
  module,
  fields: {
    kind: f.code('告警类型', alarmKind),
    dimension: f.code('共同点', causeDimension),
    label: f.shown('名称'),
    status: f.code('状态', incidentStatus),
    devices: f.count('设备数'),
    fleet: f.count('同类设备数', { about: 'number of devices that share this trait' }),
    lostPerHour: f.money('每小时损失', { optional: true, about: 'null while prices are unknown' }),
    startedAt: f.time('开始时间'),
    endedAt: f.time('结束时间', { optional: true }),
    organiseName: f.owner.organiseName,
    organiseId: f.ownerIds.organiseId,
  },
  filter: { exact: ['status', 'kind'] },
})
export type Incident = DataOf<typeof incidentList.routes.list>['rows'][number]

/** The sites with failing devices of an incident, most devices first. */
export type IncidentSite = z.infer<typeof IncidentSite>
export const IncidentSite = row({
  siteId: z.string().nullable().describe('null: devices without a site'),
  siteName: z.string().nullable(),
  address: z.string().nullable(),
  devices: z.int(),
})

export type AlarmRule = z.infer<typeof AlarmRule>
export const AlarmRule = row({
  kind: alarmKind.schema,
  enabled: z.boolean(),
  threshold: z.int().nullable(),
  minutes: z.int().nullable(),
  holdDownMin: z.int(),
  severity: alarmSeverity.schema,
  recovers: z.boolean(),
  opensTicket: z.boolean(),
  notifyTypes: z.array(userType.schema),
  smsTypes: z.array(userType.schema),
  own: z.boolean().describe('rule of the organisation; otherwise of the platform'),
})

const userTypes = z
  .string()
  .regex(/^[1-4](,[1-4]){0,3}$/, '请选择通知对象')
  .transform((types) => [...new Set(types.split(','))].map((type) => userType.wire.parse(type)))

/** The owner of the rule: the platform, unless an organisation is given. */
const whose = { organiseId: id.optional() }

export const alarmCenter = {
  ...alarmList.routes,
  totals: read('/seeker/api/alarm/totals', {
    query: row(alarmList.filterShape),
    data: row({
      count: z.int(),
      sums: row({ open: z.string(), acknowledged: z.string(), critical: z.string() }),
    }),
  }),
  /** The alarms of one device, for its page. */
  ofDevice: get('/seeker/api/alarm/ofDevice/{id}', {
    access: { menu: menuKey.deviceManage },
    params: row({ id }),
    query: PageQuery.extend({ status: alarmStatus.wire.optional() }),
    data: page(rowOf(alarmList.fields)),
  }),
  acknowledge: changeMany('/seeker/api/alarm/acknowledge', '确认告警', {}),
  close: changeMany('/seeker/api/alarm/close', '关闭告警', { reason: text(200, '关闭原因') }),
  incidents: incidentList.routes.list,
  incidentSites: read('/seeker/api/alarmIncident/sites/{id}', {
    params: row({ id }),
    data: z.array(IncidentSite),
  }),
  rules: read('/seeker/api/alarmRule/list', { query: row(whose), data: z.array(AlarmRule) }),
  saveRule: change('/seeker/api/alarmRule/save', '修改告警规则', {
    ...whose,
    kind: alarmKind.wire,
    enabled: flag,
    threshold: whole(1, 1440).optional(),
    minutes: whole(1, shortOrderMaxMin).optional(),
    holdDownMin: whole(0, 1440),
    severity: alarmSeverity.wire,
    recovers: flag,
    opensTicket: flag,
    notifyTypes: userTypes.optional(),
    smsTypes: userTypes.optional(),
  }),
  /** Restores the platform's rule for the organisation. */
  resetRule: change('/seeker/api/alarmRule/reset', '恢复默认告警规则', { ...whose, kind: alarmKind.wire }),
}
