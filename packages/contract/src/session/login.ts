import { z } from 'zod'
import { codes } from '../kit/codes.ts'
import { done, get, post } from '../kit/route.ts'
import { phone, row, secret, smsCode, text } from '../kit/wire.ts'

/** What a session still owes before it may be used. */
export const sessionStage = codes({
  full: { code: 'full', label: '已登录' },
  secondFactor: { code: 'secondFactor', label: '待验证动态口令' },
  enrol: { code: 'enrol', label: '待绑定动态口令' },
  password: { code: 'password', label: '待修改密码' },
})

export const smsPurpose = codes({
  login: { code: 'login', label: '短信登录' },
  reset: { code: 'reset', label: '重置密码' },
})

/** Named as the specification names it: the token is kept in session storage under an access-token key. */
const Ticket = row({ access_token: z.string(), stage: sessionStage.schema })
const module = '登录'
const captcha = {
  captchaId: z.uuid().optional(),
  captchaCode: z
    .string()
    .regex(/^\d{4}$/, '请输入4位图形验证码')
    .optional(),
}

export const login = {
  captcha: get('/seeker/api/login/captcha', {
    access: 'public',
    data: row({ captchaId: z.uuid(), image: z.string() }),
  }),
  byPassword: post('/seeker/api/login/password', {
    access: 'public',
    audit: { module, does: '密码登录' },
    body: row({ loginName: text(40, '账号'), password: secret(128), ...captcha }),
    data: Ticket,
  }),
  sendSmsCode: post('/seeker/api/login/smsCode', {
    access: 'public',
    audit: { module, does: '获取短信验证码' },
    body: row({
      phone,
      purpose: smsPurpose.wire,
      captchaId: z.uuid(),
      captchaCode: z.string().regex(/^\d{4}$/, '请输入4位图形验证码'),
    }),
    data: done,
  }),
  bySms: post('/seeker/api/login/sms', {
    access: 'public',
    audit: { module, does: '短信登录' },
    body: row({ phone, code: smsCode }),
    data: Ticket,
  }),
  byTicket: post('/seeker/api/login/fast', {
    access: 'public',
    audit: { module, does: '快捷登录' },
    body: row({ ticket: z.string().regex(/^[\w-]{43}$/, '登录链接无效') }),
    data: Ticket,
  }),
  resetPassword: post('/seeker/api/login/resetPassword', {
    access: 'public',
    audit: { module, does: '短信重置密码' },
    body: row({ phone, code: smsCode, newPassword: secret(64) }),
    data: done,
  }),
  secondFactor: post('/seeker/api/login/secondFactor', {
    access: 'partial',
    audit: { module, does: '验证动态口令' },
    body: row({ code: smsCode }),
    data: Ticket,
  }),
  /** The second factor once more, before something that needs one's own hands. */
  stepUp: post('/seeker/api/login/stepUp', {
    access: 'anyone',
    audit: { module, does: '再次验证动态口令' },
    body: row({ code: smsCode }),
    data: done,
  }),
  startEnrolment: post('/seeker/api/login/secondFactor/enrol', {
    access: 'partial',
    audit: { module, does: '申请绑定动态口令' },
    body: row({ password: secret(128).optional().describe('asked for again where the person is logged in already') }),
    data: row({ secret: z.string(), uri: z.string() }),
  }),
  confirmEnrolment: post('/seeker/api/login/secondFactor/confirm', {
    access: 'partial',
    audit: { module, does: '绑定动态口令' },
    body: row({ code: smsCode }),
    data: Ticket,
  }),
  renewPassword: post('/seeker/api/login/renewPassword', {
    access: 'partial',
    audit: { module, does: '更换过期密码' },
    body: row({ oldPassword: secret(128), newPassword: secret(64) }),
    data: Ticket,
  }),
  logout: post('/seeker/api/logout', { access: 'partial', audit: { module, does: '退出登录' }, data: done }),
}
