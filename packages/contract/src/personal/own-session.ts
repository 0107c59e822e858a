import { z } from 'zod'
import { codes } from '../kit/codes.ts'
import { done, get, post } from '../kit/route.ts'
import { id, row, time } from '../kit/wire.ts'

export const sessionOpening = codes({
  password: { code: 'password', label: '密码登录' },
  sms: { code: 'sms', label: '短信登录' },
  link: { code: 'link', label: '快捷登录' },
})

export const sessionFactor = codes({
  totp: { code: 'totp', label: '动态口令' },
  passkey: { code: 'passkey', label: '通行密钥' },
  recovery: { code: 'recovery', label: '恢复码' },
})

export type OwnSession = z.infer<typeof OwnSession>
export const OwnSession = row({
  id: z.string(),
  userAgent: z.string().nullable(),
  ip: z.string().nullable(),
  openedBy: sessionOpening.schema,
  factor: sessionFactor.schema.nullable(),
  actedBy: z.string().nullable().describe('name of the person who opened it by a quick-login link'),
  createdAt: time,
  lastSeenAt: time,
  isCurrent: z.boolean(),
})

const module = '个人中心'

/** The open sessions of the caller. Sessions of a quick-login link can neither list nor end them. */
export const ownSession = {
  list: get('/seeker/api/personal/session/list', { access: 'anyone', data: z.array(OwnSession) }),
  end: post('/seeker/api/personal/session/end', {
    access: 'anyone',
    audit: { module, does: '结束会话' },
    body: row({ id }),
    data: done,
  }),
  endOthers: post('/seeker/api/personal/session/endOthers', {
    access: 'anyone',
    audit: { module, does: '结束其他会话' },
    data: row({ ended: z.int() }),
  }),
}
