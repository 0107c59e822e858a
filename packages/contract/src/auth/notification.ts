import { z } from 'zod'
import { codes } from '../kit/codes.ts'
import { page, PageQuery } from '../kit/page.ts'
import { done, get, post, stream } from '../kit/route.ts'
import { flag, idList, row, time } from '../kit/wire.ts'
import { DevicePatch } from '../product/device-live.ts'

/** Popup types of spec §9. */
export const popupType = codes({
  system: { code: 0, label: '系统消息', tone: 'run' },
  notice: { code: 1, label: '公告', tone: 'link' },
  activity: { code: 2, label: '活动', tone: 'book' },
  platformWarning: { code: 3, label: '平台预警', tone: 'warn' },
  appWarning: { code: 4, label: 'APP预警', tone: 'warn' },
  wechatMaintenance: { code: 5, label: '微信维护', tone: 'off' },
  advertising: { code: 6, label: '广告', tone: 'off' },
})

/** A platform warning must reach everyone, regardless of preferences. */
export const alwaysPopsUp = (type: (typeof popupType.options)[number]['value']) =>
  type === popupType.code.platformWarning

/** Whether a type pops up for this user. The drawer lists every notice. */
export type NotificationPreference = z.infer<typeof NotificationPreference>
export const NotificationPreference = row({ type: popupType.schema, popup: z.boolean() })

export type Notification = z.infer<typeof Notification>
export const Notification = row({
  id: z.string(),
  type: popupType.schema,
  title: z.string(),
  body: z.string(),
  route: z.string().nullable(),
  createdAt: time,
  read: z.boolean(),
})

/** Events of the live stream. */
export type LiveEvent = z.infer<typeof LiveEvent>
export const LiveEvent = z.discriminatedUnion('kind', [
  row({ kind: z.literal('hello'), at: time }),
  row({ kind: z.literal('notice'), notice: Notification }),
  row({ kind: z.literal('rights') }).describe('the rights of the user changed; fetch the session again'),
  row({ kind: z.literal('revoked') }).describe('this session has ended'),
  row({ kind: z.literal('changed'), list: z.string().max(40) }).describe('rows of this list changed; reload its page'),
  row({
    kind: z.literal('job'),
    job: row({
      id: z.string(),
      title: z.string(),
      status: z.int(),
      total: z.int(),
      done: z.int(),
      failed: z.int(),
    }),
  }).describe('progress of a job'),
  row({ kind: z.literal('devices'), rows: z.array(DevicePatch) }).describe('reports of the watched devices'),
])

export const notification = {
  list: get('/seeker/api/notification/list', {
    access: 'anyone',
    query: PageQuery.extend({ unread: flag.optional() }),
    data: page(Notification).extend({ unreadCount: z.int() }),
  }),
  markRead: post('/seeker/api/notification/read', {
    access: 'anyone',
    audit: 'none',
    body: row({ ids: idList().optional().describe('all if omitted') }),
    data: done,
  }),
  /** One entry for each type. */
  preferences: get('/seeker/api/notification/preferences', {
    access: 'anyone',
    data: z.array(NotificationPreference),
  }),
  savePreference: post('/seeker/api/notification/preference', {
    access: 'anyone',
    audit: { module: '个人中心', does: '修改通知设置' },
    body: row({ type: popupType.wire, popup: flag }),
    data: done,
  }),
  /** A tab has one stream. A page with devices reopens it whenever the device ids change. */
  live: stream('/seeker/api/live', {
    access: 'anyone',
    query: row({ devices: idList().optional().describe('requires the right to view devices') }),
    data: LiveEvent,
  }),
}
