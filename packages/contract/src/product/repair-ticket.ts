import { z } from 'zod'
import { userType } from '../common.ts'
import { exportList } from '../kit/bulk.ts'
import { codes } from '../kit/codes.ts'
import { page, PageQuery } from '../kit/page.ts'
import { personal } from '../kit/personal.ts'
import { aboutPerson } from '../kit/privacy.ts'
import { done, get, post } from '../kit/route.ts'
import { date, id, idList, keyword, lines, phone, row, text, time, whole } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { ownerIds, ownerNames } from '../system/ownership.ts'
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

export type RepairTicket = z.infer<typeof RepairTicket>
export const RepairTicket = row({
  id: z.string(),
  ticketNo: z.string(),
  deviceId: z.string(),
  deviceNo: z.string(),
  deviceName: z.string().nullable(),
  portNo: z.int().nullable(),
  ...ownerNames,
  address: z.string().nullable().describe('of the site'),
  fault: alarmKind.schema,
  description: z.string(),
  pictureIds: z.array(z.string()),
  reporter: z.string().nullable(),
  phone: personal('phone').nullable(),
  source: repairSource.schema,
  priority: repairPriority.schema,
  status: repairStatus.schema,
  assigneeId: z.string().nullable(),
  assigneeName: z.string().nullable(),
  assignedAt: time.nullable(),
  alarmId: z.string().nullable(),
  alarmStatus: alarmStatus.schema.nullable(),
  healthy: z
    .boolean()
    .nullable()
    .describe('whether its alarm is over; null without one, or where only a person can tell'),
  result: z.string().nullable(),
  parts: z.string().nullable(),
  resultPictureIds: z.array(z.string()),
  reason: z.string().nullable().describe('why closed without a repair, or completed although not healthy'),
  createdBy: z.string().nullable(),
  createdAt: time,
  completedBy: z.string().nullable(),
  completedAt: time.nullable(),
  minutes: z.int().describe('from the report to the end, or until now'),
})

/** What the list shows and a file holds. */
export const repairColumns = {
  ticketNo: '工单号',
  status: '状态',
  priority: '优先级',
  deviceNo: '设备编号',
  portNo: '端口',
  fault: '故障类型',
  description: '描述',
  assigneeName: '维修人',
  organiseName: '所属机构',
  agentName: '所属代理商',
  siteName: '所属站点',
  address: '地址',
  pictures: '图片',
  reporter: '报修人',
  phone: '报修人手机',
  source: '来源',
  result: '维修结果',
  parts: '更换件',
  reason: '原因',
  createdAt: '报修时间',
  completedAt: '完成时间',
  minutes: '时长',
} as const

const menu = menuKey.repairTicket
const module = '维修工单'
export const repairPictures = 6

export const repairTicket = {
  list: get('/seeker/api/repairTicket/pageList', {
    access: { menu },
    query: PageQuery.extend({
      keyword: keyword.optional().describe('how the number of the ticket or of the device begins'),
      status: repairStatus.wire.optional(),
      assigneeId: id.optional(),
      fault: alarmKind.wire.optional(),
      priority: repairPriority.wire.optional(),
      ...ownerIds,
      from: date.optional(),
      to: date.optional(),
    }),
    data: page(RepairTicket),
  }),
  read: get('/seeker/api/repairTicket/detail/{id}', { access: { menu }, params: row({ id }), data: RepairTicket }),
  /** Who may be given a ticket: people of the organisation who see it and hold this menu. */
  people: get('/seeker/api/repairTicket/people', {
    access: { menu, action: 'edit' },
    query: row({ id, keyword: keyword.optional().describe('part of the name') }),
    data: z.array(row({ id: z.string(), name: z.string(), userType: userType.schema })),
  }),
  add: post('/seeker/api/repairTicket/save', {
    access: { menu, action: 'add' },
    audit: { module, does: '新增维修工单' },
    idempotent: true,
    body: row({
      deviceNo: deviceNumber,
      portNo: whole(1, 24).optional(),
      alarmId: id.optional().describe('the alarm that it is opened for'),
      fault: alarmKind.wire,
      priority: repairPriority.wire,
      description: lines(500, '描述'),
      pictureIds: idList(repairPictures).optional(),
      reporter: aboutPerson(text(30, '报修人')).optional(),
      phone: phone.optional(),
    }),
    data: row({ id: z.string() }),
  }),
  assign: post('/seeker/api/repairTicket/assign', {
    access: { menu, action: 'edit' },
    audit: { module, does: '派发维修工单' },
    body: row({ id, assigneeId: id }),
    data: done,
  }),
  complete: post('/seeker/api/repairTicket/complete', {
    access: { menu, action: 'edit' },
    audit: { module, does: '完成维修工单' },
    body: row({
      id,
      result: lines(500, '维修结果'),
      parts: text(200, '更换件').optional(),
      pictureIds: idList(repairPictures).optional(),
      reason: text(200, '未恢复原因').optional().describe('needed while the device is not healthy'),
    }),
    data: done,
  }),
  close: post('/seeker/api/repairTicket/close', {
    access: { menu, action: 'edit' },
    audit: { module, does: '关闭维修工单' },
    body: row({ id, reason: text(200, '关闭原因') }),
    data: done,
  }),
  exportList: exportList('/seeker/api/repairTicket/export', { menu, module }),
}
