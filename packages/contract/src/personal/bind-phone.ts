import { personal } from '../kit/personal.ts'
import { done, get, post } from '../kit/route.ts'
import { phone, row, secret, smsCode } from '../kit/wire.ts'

const module = '个人中心'

export const bindPhone = {
  current: get('/seeker/api/personal/phone', { access: 'anyone', data: row({ phone: personal('phone') }) }),
  sendCode: post('/seeker/api/personal/phone/smsCode', {
    access: 'anyone',
    audit: { module, does: '获取绑定手机验证码' },
    body: row({ phone }),
    data: done,
  }),
  /** Requires the password again, so an unattended console does not allow an account takeover. */
  bind: post('/seeker/api/personal/phone/bind', {
    access: 'anyone',
    audit: { module, does: '绑定手机' },
    body: row({ phone, code: smsCode, password: secret(128) }),
    data: done,
  }),
}
