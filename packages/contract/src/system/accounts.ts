import { z } from 'zod'
import { aboutPerson } from '../kit/privacy.ts'
import { id, phone, row, text, time } from '../kit/wire.ts'

export const loginName = z.string().regex(/^[a-zA-Z]\w{3,29}$/, '登录账号须以字母开头，4-30位字母、数字或下划线')

/** The administrator account that is created together with an organisation or an agent. */
export const adminFields = {
  adminName: aboutPerson(text(30, '管理员姓名')),
  adminLoginName: loginName,
  adminPhone: phone.describe('phone of the account, for login and password reset'),
}

/** Shown once; the server stores only a hash. */
export const FirstPassword = row({ initialPassword: z.string() })
export const NewWithAccount = row({ id: z.string(), initialPassword: z.string() })

/** A one-time login link. */
export const LoginTicket = row({ ticket: z.string(), expiresAt: time })

/** For a user who can no longer receive messages on the old phone. */
export const PhoneChange = row({ id, phone, reason: text(100, '换绑原因').min(2, '请填写换绑原因') })
