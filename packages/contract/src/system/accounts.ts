import { z } from 'zod'
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
