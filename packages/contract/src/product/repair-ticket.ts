import { z } from 'zod'
import { userType } from '../common.ts'
import { codes } from '../kit/codes.ts'
import { f, rowOf } from '../kit/fields.ts'
import { defineList } from '../kit/list.ts'
import { aboutPerson } from '../kit/privacy.ts'
import { type DataOf, get } from '../kit/route.ts'
import { screenRoutes } from '../kit/screen-routes.ts'
import { id, idList, keyword, lines, phone, row, text, time, whole } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { alarmKind, alarmStatus } from './alarm-codes.ts'
import { deviceNumber } from './device-manage.ts'

export const repairStatus = codes({
  waiting: { code: 2, label: '待维修', tone: 'warn' },
  complete: { code: 3, label: '已完成', tone: 'ok' },
})
export const repairFlow = repairStatus.flow({
  assign: { from: ['waiting'], to: 'waiting' },
  complete: { from: ['waiting'], to: 'complete' },
})

export const repairPriority = codes({
  high: { code: 1, label: '高', tone: 'bad' },
  normal: { code: 2, label: '中', tone: 'warn' },
  low: { code: 3, label: '低', tone: 'off' },
})

export const repairSource = codes({
  alarm: { code: 1, label: '告警' },
  person: { code: 2, label: '人工' },
})

const menu = menuKey.repairTicket
const module = '维修工单'
const { read, change, create } = screenRoutes({ menu, module })

export const repairList = defineList('/seeker/api/repairTicket', {
  menu,
  module,
  fields: {
    ticketNo: f.shown('工单号', { width: 130, object: { kind: 'ticket', id: 'id' } }),
    status: f.code('状态', repairStatus, { width: 90 }),
    priority: f.code('优先级', repairPriority, { width: 80 }),
    deviceNo: f.shown('设备编号', { width: 140, object: { kind: 'device', id: 'deviceId' } }),
    portNo: f.count('端口', { optional: true, width: 70 }),
    fault: f.code('故障类型', alarmKind, { width: 130 }),
    description: f.shown('描述', { width: 200 }),
    assigneeName: f.shown('维修人', { optional: true, width: 110, object: { kind: 'staff', id: 'assigneeId' } }),
    ...f.owner,
    address: f.shown('地址', { optional: true, width: 200, about: 'address of the site' }),
    createdAt: f.time('报修时间', { width: 180 }),
    minutes: f.count('时长', { width: 110, about: 'from the report to the end, or to now' }),
    source: f.code('来源', repairSource, { width: 80, hidden: true }),
    reporter: f.shown('报修人', { optional: true, width: 100, hidden: true }),
    phone: f.phone('报修人手机', { width: 150, hidden: true }),
    result: f.shown('维修结果', { optional: true, width: 200, hidden: true }),
    parts: f.shown('更换件', { optional: true, width: 150, hidden: true }),
    reason: f.shown('原因', {
      optional: true,
      width: 180,
      hidden: true,
      about: 'why closed without a repair, or completed although not healthy',
    }),
    completedAt: f.time('完成时间', { optional: true, width: 180, hidden: true }),
    deviceId: f.data(z.string()),
    deviceName: f.data(z.string().nullable()),
    pictureIds: f.data(z.array(z.string())),
    assigneeId: f.data(z.string().nullable()),
    assignedAt: f.data(time.nullable()),
    alarmId: f.data(z.string().nullable()),
    alarmStatus: f.data(alarmStatus.schema.nullable()),
    healthy: f.data(
      z.boolean().nullable().describe('whether its alarm has ended; null without one, or if only a user can judge'),
    ),
    resultPictureIds: f.data(z.array(z.string())),
    createdBy: f.data(z.string().nullable()),
    completedBy: f.data(z.string().nullable()),
  },
  decided: [
    ['ticketNo', 'createdAt'],
    ['status', 'priority'],
    ['deviceNo', 'portNo'],
    ['fault', 'description'],
    ['siteName', 'address'],
    ['assigneeName', 'minutes'],
  ],
  filter: {
    own: {
      keyword: {
        title: '工单号/设备编号',
        schema: keyword.describe('prefix of the ticket or device number'),
      },
      assigneeId: { schema: id },
    },
    exact: ['status', 'priority', 'fault'],
    owner: ['organise', 'agent', 'site'],
    days: 'createdAt',
  },
  exports: true,
})
export type RepairTicket = DataOf<typeof repairList.routes.list>['rows'][number]

export const repairPictures = 6

export const repairTicket = {
  ...repairList.routes,
  read: read('/seeker/api/repairTicket/detail/{id}', {
    params: row({ id }),
    data: rowOf(repairList.fields),
  }),
  /** Possible assignees of a ticket: staff of the organisation with the ticket in scope and this menu. */
  people: get('/seeker/api/repairTicket/people', {
    access: { menu, action: 'edit' },
    query: row({ id, keyword: keyword.optional().describe('part of the name') }),
    data: z.array(row({ id: z.string(), name: z.string(), userType: userType.schema })),
  }),
  add: create('/seeker/api/repairTicket/save', '新增维修工单', {
    deviceNo: deviceNumber,
    portNo: whole(1, 24).optional(),
    alarmId: id.optional().describe('alarm that the ticket is opened for'),
    fault: alarmKind.wire,
    priority: repairPriority.wire,
    description: lines(500, '描述'),
    pictureIds: idList(repairPictures).optional(),
    reporter: aboutPerson(text(30, '报修人')).optional(),
    phone: phone.optional(),
  }),
  assign: change('/seeker/api/repairTicket/assign', '派发维修工单', { id, assigneeId: id }),
  complete: change('/seeker/api/repairTicket/complete', '完成维修工单', {
    id,
    result: lines(500, '维修结果'),
    parts: text(200, '更换件').optional(),
    pictureIds: idList(repairPictures).optional(),
    reason: text(200, '未恢复原因').optional().describe('required while the device is not healthy'),
  }),
  close: change('/seeker/api/repairTicket/close', '关闭维修工单', { id, reason: text(200, '关闭原因') }),
}
