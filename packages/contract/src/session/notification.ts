import { z } from 'zod'
import { codes } from '../kit/codes.ts'
import { page, PageQuery } from '../kit/page.ts'
import { done, get, post, stream } from '../kit/route.ts'
import { flag, idList, row, time } from '../kit/wire.ts'

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

/** What the live stream carries. */
export type LiveEvent = z.infer<typeof LiveEvent>
export const LiveEvent = z.discriminatedUnion('kind', [
  row({ kind: z.literal('hello'), at: time }),
  row({ kind: z.literal('notice'), notice: Notification }),
  row({ kind: z.literal('rights') }).describe('the rights of this person changed: fetch the session again'),
  row({ kind: z.literal('revoked') }).describe('this session has ended'),
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
    body: row({ ids: idList().optional().describe('left out: all') }),
    data: done,
  }),
  live: stream('/seeker/api/live', { access: 'anyone', data: LiveEvent }),
}
