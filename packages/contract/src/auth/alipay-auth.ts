import { z } from 'zod'
import { codes } from '../kit/codes.ts'
import { post } from '../kit/route.ts'
import { screenRoutes } from '../kit/screen-routes.ts'
import { id, row, time } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'

/** Progress of an authorisation. Without an answer of the provider the result is unknown, not failed. */
export const alipayStep = codes({
  open: { code: 1, label: '待授权' },
  waiting: { code: 2, label: '确认中', tone: 'run' },
  calling: { code: 3, label: '确认中', tone: 'run' },
  done: { code: 4, label: '授权成功', tone: 'ok' },
  refused: { code: 5, label: '授权失败', tone: 'bad' },
  unknown: { code: 6, label: '结果未知', tone: 'warn' },
})

const Authorisation = row({ account: z.string().describe('masked'), authorisedAt: time })
export type AlipayProgress = z.infer<typeof AlipayProgress>
const AlipayProgress = row({
  step: alipayStep.schema,
  organiseName: z.string(),
  reason: z.string().nullable().describe('why the authorisation was refused'),
  authorisation: Authorisation.nullable(),
  address: z.url().nullable().describe('authorisation address, while the invitation can be used'),
  late: z.boolean().describe('no response for so long that a retry is allowed'),
})

const token = z.string().regex(/^[\w-]{43}$/, '授权链接无效')
const menu = menuKey.organise
const module = '支付宝授权'
const { read, change } = screenRoutes({ menu, module })

export const alipayAuth = {
  /** Creates a link to authorise an Alipay account for an organisation. A newer link revokes it. */
  invite: change(
    '/seeker/api/alipayAuth/invite',
    '生成支付宝授权邀请',
    { organiseId: id },
    { idempotent: true, data: row({ invite: z.string(), expiresAt: time }) },
  ),
  current: read('/seeker/api/alipayAuth/current', {
    query: row({ organiseId: id }),
    data: row({
      invite: row({ createdBy: z.string(), createdAt: time, expiresAt: time }).nullable(),
      authorisation: Authorisation.nullable(),
    }),
  }),
  /** A POST, so that the token does not appear in proxy logs. */
  open: post('/seeker/api/alipayAuth/open', {
    access: 'public',
    audit: 'none',
    body: row({ invite: token }),
    data: AlipayProgress.extend({ expiresAt: time }),
  }),
  submit: post('/seeker/api/alipayAuth/submit', {
    access: 'public',
    audit: { module, does: '提交支付宝授权码' },
    body: row({
      state: token,
      code: z.string().regex(/^[\w-]{8,64}$/, '授权码格式不正确'),
    }),
    data: AlipayProgress,
  }),
  progress: post('/seeker/api/alipayAuth/progress', {
    access: 'public',
    audit: 'none',
    body: row({ state: token }),
    data: AlipayProgress,
  }),
  retry: post('/seeker/api/alipayAuth/retry', {
    access: 'public',
    audit: { module, does: '重新确认支付宝授权' },
    body: row({ state: token }),
    data: AlipayProgress,
  }),
}
