import { z } from 'zod'
import { codes } from '../kit/codes.ts'
import { done, get, post } from '../kit/route.ts'
import { secretive } from '../kit/privacy.ts'
import { phone, row, secret, smsCode, text } from '../kit/wire.ts'
import { logout } from './logout.ts'

/** The step that a session must complete before it may be used. */
export const sessionStage = codes({
  full: { code: 'full', label: '已登录' },
  secondFactor: { code: 'secondFactor', label: '待二次验证' },
  enrol: { code: 'enrol', label: '待绑定二次验证' },
  password: { code: 'password', label: '待修改密码' },
})

export const smsPurpose = codes({
  login: { code: 'login', label: '短信登录' },
  reset: { code: 'reset', label: '重置密码' },
})

/** Named by the specification; the console stores the token in session storage under an access-token key. */
const Ticket = row({ access_token: z.string(), stage: sessionStage.schema })
/** Recovery codes are returned once, when the first factor is bound. */
const BoundTicket = Ticket.extend({ recoveryCodes: z.array(z.string()) })
const password = secret(128).optional().describe('required again when the user is already logged in')
/** The response of an authenticator, as the JSON text of the browser. */
const answer = secret(20_000)
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
  /** A step-up: proves the second factor again before a route that requires it. */
  stepUp: post('/seeker/api/login/stepUp', {
    access: 'anyone',
    audit: { module, does: '再次验证动态口令' },
    body: row({ code: smsCode }),
    data: done,
  }),
  startEnrolment: post('/seeker/api/login/secondFactor/enrol', {
    access: 'partial',
    audit: { module, does: '申请绑定动态口令' },
    body: row({ password }),
    data: row({ secret: z.string(), uri: z.string() }),
  }),
  confirmEnrolment: post('/seeker/api/login/secondFactor/confirm', {
    access: 'partial',
    audit: { module, does: '绑定动态口令' },
    body: row({ code: smsCode }),
    data: BoundTicket,
  }),
  /** The second factors that the user can prove or bind now. */
  factors: get('/seeker/api/login/factors', {
    access: 'partial',
    data: row({ totp: z.boolean(), passkey: z.boolean(), recoveryCode: z.boolean(), passkeyOffered: z.boolean() }),
  }),
  /** Replaces the second factor at login; each code works once. */
  recover: post('/seeker/api/login/recover', {
    access: 'partial',
    audit: { module, does: '使用恢复码' },
    body: row({ code: secretive(z.string().regex(/^[A-Za-z2-7\s-]{16,24}$/, '请输入16位恢复码')) }),
    data: Ticket,
  }),
  /**
   * The challenge for an authenticator, for the two routes below. A challenge is valid for one proof, for five minutes.
   */
  passkeyChallenge: post('/seeker/api/login/passkey/challenge', {
    access: 'partial',
    audit: 'none',
    data: row({ options: z.string().describe('JSON of PublicKeyCredentialRequestOptions') }),
  }),
  secondFactorByPasskey: post('/seeker/api/login/passkey', {
    access: 'partial',
    audit: { module, does: '验证通行密钥' },
    body: row({ answer }),
    data: Ticket,
  }),
  stepUpByPasskey: post('/seeker/api/login/passkey/stepUp', {
    access: 'anyone',
    audit: { module, does: '再次验证通行密钥' },
    body: row({ answer }),
    data: done,
  }),
  startPasskey: post('/seeker/api/login/passkey/enrol', {
    access: 'partial',
    audit: { module, does: '申请绑定通行密钥' },
    body: row({ password }),
    data: row({ options: z.string().describe('JSON of PublicKeyCredentialCreationOptions') }),
  }),
  confirmPasskey: post('/seeker/api/login/passkey/confirm', {
    access: 'partial',
    audit: { module, does: '绑定通行密钥' },
    body: row({ name: text(30, '名称'), answer }),
    data: BoundTicket,
  }),
  renewPassword: post('/seeker/api/login/renewPassword', {
    access: 'partial',
    audit: { module, does: '更换过期密码' },
    body: row({ oldPassword: secret(128), newPassword: secret(64) }),
    data: Ticket,
  }),
  logout,
}
