import { z } from 'zod'
import { userType } from '../common.ts'
import { exportList } from '../kit/bulk.ts'
import { page, PageQuery } from '../kit/page.ts'
import { done, get, post } from '../kit/route.ts'
import { date, flag, id, idList, keyword, row, text, time, whole } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { ownerIds, ownerNames } from '../system/ownership.ts'
import { regionFilter } from '../system/region.ts'
import {
  alarmKind,
  alarmSeverity,
  alarmStatus,
  causeDimension,
  incidentStatus,
  shortOrderMaxMin,
} from './alarm-codes.ts'

export type Alarm = z.infer<typeof Alarm>
export const Alarm = row({
  id: z.string(),
  deviceId: z.string(),
  deviceNo: z.string(),
  deviceName: z.string().nullable().describe('null: the device belongs to somebody else now'),
  portNo: z.int().nullable().describe('null: the whole device'),
  kind: alarmKind.schema,
  severity: alarmSeverity.schema,
  status: alarmStatus.schema,
  count: z.int().describe('how often it was noticed'),
  firstAt: time,
  lastAt: time,
  healthySince: time.nullable(),
  detail: z.record(z.string(), z.unknown()),
  ...ownerNames,
  incidentId: z.string().nullable(),
  ticketId: z.string().nullable(),
  ticketNo: z.string().nullable(),
  attempts: z.int().describe('how often the platform tried to bring it back by itself'),
  acknowledgedBy: z.string().nullable(),
  acknowledgedAt: time.nullable(),
  closedBy: z.string().nullable(),
  closedAt: time.nullable(),
  closeReason: z.string().nullable(),
})

/** What the list shows and a file holds. */
export const alarmColumns = {
  kind: '告警类型',
  severity: '级别',
  status: '状态',
  deviceNo: '设备编号',
  deviceName: '设备名称',
  portNo: '端口',
  detail: '说明',
  count: '次数',
  firstAt: '首次发生',
  lastAt: '最近发生',
  healthySince: '恢复时间',
  organiseName: '所属机构',
  agentName: '所属代理商',
  siteName: '所属站点',
  ticketNo: '维修工单',
  attempts: '自动恢复',
  acknowledgedBy: '确认人',
  acknowledgedAt: '确认时间',
  closedBy: '关闭人',
  closedAt: '关闭时间',
  closeReason: '关闭原因',
} as const

/** Alarms that share a cause. */
export type Incident = z.infer<typeof Incident>
export const Incident = row({
  id: z.string(),
  kind: alarmKind.schema,
  dimension: causeDimension.schema,
  label: z.string(),
  status: incidentStatus.schema,
  devices: z.int(),
  fleet: z.int().describe('how many devices have this in common'),
  lostPerHour: z.string().nullable().describe('in yuan; null as long as no prices are known'),
  startedAt: time,
  endedAt: time.nullable(),
  organiseName: z.string(),
})

/** Where somebody has to go for the devices of an incident that still fail, most devices first. */
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
  own: z.boolean().describe('written by the organisation; otherwise the platform’s'),
})

const menu = menuKey.alarmCenter
const module = '告警中心'

const alarmQuery = {
  keyword: keyword.optional().describe('how the number of the device begins'),
  kind: alarmKind.wire.optional(),
  severity: alarmSeverity.wire.optional(),
  status: alarmStatus.wire.optional(),
  unclosed: flag.optional().describe('open or acknowledged'),
  incidentId: id.optional(),
  alarmId: id.optional().describe('one alarm, that a link leads to'),
  ...ownerIds,
  ...regionFilter,
  from: date.optional().describe('the day it was noticed last'),
  to: date.optional(),
}

const userTypes = z
  .string()
  .regex(/^[1-4](,[1-4]){0,3}$/, '请选择通知对象')
  .transform((types) => [...new Set(types.split(','))].map((type) => userType.wire.parse(type)))

/** Whose rule is meant: the platform's own, unless it names an organisation. */
const whose = { organiseId: id.optional() }

export const alarmCenter = {
  list: get('/seeker/api/alarm/pageList', {
    access: { menu },
    query: PageQuery.extend(alarmQuery),
    data: page(Alarm),
  }),
  totals: get('/seeker/api/alarm/totals', {
    access: { menu },
    query: row(alarmQuery),
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
    data: page(Alarm),
  }),
  acknowledge: post('/seeker/api/alarm/acknowledge', {
    access: { menu, action: 'edit' },
    audit: { module, does: '确认告警' },
    body: row({ ids: idList() }),
    data: row({ changed: z.int() }),
  }),
  close: post('/seeker/api/alarm/close', {
    access: { menu, action: 'edit' },
    audit: { module, does: '关闭告警' },
    body: row({ ids: idList(), reason: text(200, '关闭原因') }),
    data: row({ changed: z.int() }),
  }),
  incidents: get('/seeker/api/alarmIncident/pageList', {
    access: { menu },
    query: PageQuery.extend({ status: incidentStatus.wire.optional(), kind: alarmKind.wire.optional() }),
    data: page(Incident),
  }),
  incidentSites: get('/seeker/api/alarmIncident/sites/{id}', {
    access: { menu },
    params: row({ id }),
    data: z.array(IncidentSite),
  }),
  rules: get('/seeker/api/alarmRule/list', { access: { menu }, query: row(whose), data: z.array(AlarmRule) }),
  saveRule: post('/seeker/api/alarmRule/save', {
    access: { menu, action: 'edit' },
    audit: { module, does: '修改告警规则' },
    body: row({
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
    data: done,
  }),
  /** The organisation goes by the platform's rule again. */
  resetRule: post('/seeker/api/alarmRule/reset', {
    access: { menu, action: 'edit' },
    audit: { module, does: '恢复默认告警规则' },
    body: row({ ...whose, kind: alarmKind.wire }),
    data: done,
  }),
  exportList: exportList('/seeker/api/alarm/export', { menu, module }),
}
