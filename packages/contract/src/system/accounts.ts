import { z } from 'zod'
import { enabledStatus, userType } from '../common.ts'
import { f } from '../kit/fields.ts'
import { aboutPerson } from '../kit/privacy.ts'
import { id, phone, row, text, time } from '../kit/wire.ts'

export const loginName = z.string().regex(/^[a-zA-Z]\w{3,29}$/, '登录账号须以字母开头，4-30位字母、数字或下划线')

/** The account that is made together with an organisation or an agent and looks after it. */
export const adminFields = {
  adminName: aboutPerson(text(30, '管理员姓名')),
  adminLoginName: loginName,
  adminPhone: phone.describe('of the account: it logs in and resets its password by it'),
}

/** Shown once; the server keeps only a hash of it. */
export const FirstPassword = row({ initialPassword: z.string() })
export const NewWithAccount = row({ id: z.string(), initialPassword: z.string() })

/** A link that logs in once. */
export const LoginTicket = row({ ticket: z.string(), expiresAt: time })

/** For somebody who can no longer receive messages on the old phone. */
export const PhoneChange = row({ id, phone, reason: text(100, '换绑原因').min(2, '请填写换绑原因') })

type Roles = { roles: readonly { name: string }[] }

/** What the lists of accounts have in common. */
export const accountFields = {
  status: f.code('状态', enabledStatus, { width: 80 }),
  phone: f.phone('手机号', { width: 150, optional: false }),
  userType: f.code('用户类型', userType, { width: 90 }),
  roleNames: f.derived('角色', ({ roles }: Roles) => roles.map(({ name }) => name).join('、'), { width: 140 }),
  roles: f.data(z.array(row({ id: z.string(), name: z.string() }))),
  locked: f.data(z.boolean()),
  lastLoginAt: f.time('最近登录', { width: 110, optional: true }),
}
