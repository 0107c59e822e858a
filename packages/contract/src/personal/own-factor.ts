import { z } from 'zod'
import { done, get, post } from '../kit/route.ts'
import { id, row, time } from '../kit/wire.ts'

export type Passkey = z.infer<typeof Passkey>
export const Passkey = row({ id: z.string(), name: z.string(), createdAt: time, lastUsedAt: time.nullable() })

const module = '个人中心'

/** The second factors of the caller. The login routes bind them, because binding opens a new session. */
export const ownFactor = {
  read: get('/seeker/api/personal/factor', {
    access: 'anyone',
    data: row({
      totpSince: time.nullable(),
      passkeys: z.array(Passkey),
      recoveryCodesLeft: z.int(),
      passkeyOffered: z.boolean().describe('whether browsers accept passkeys at the address of this installation'),
    }),
  }),
  /** Requires a recent proof of a second factor by 428, as the next route does. */
  removePasskey: post('/seeker/api/personal/factor/removePasskey', {
    access: 'anyone',
    audit: { module, does: '移除通行密钥' },
    body: row({ id }),
    data: done,
  }),
  renewRecoveryCodes: post('/seeker/api/personal/factor/recoveryCodes', {
    access: 'anyone',
    audit: { module, does: '重新生成恢复码' },
    data: row({ recoveryCodes: z.array(z.string()) }),
  }),
}
