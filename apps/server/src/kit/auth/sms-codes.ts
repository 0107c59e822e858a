import { sql } from 'kysely'
import type { Db } from '../db/db.ts'
import type { Enqueue } from '../jobs/jobs.ts'
import { Refusal } from '../http/refusal.ts'
import { newSmsCode, sha256 } from './tokens.ts'

/** A `charge` code goes to a member, who agrees to pay for a charge at one device. The others go to accounts. */
export type Purpose = 'login' | 'reset' | 'bind' | 'charge'
type Receiver = { id: string; organise_id: string; agent_id: string | null; site_id: string | null }

const templates: Record<Purpose, string> = {
  login: 'SMS_LOGIN',
  reset: 'SMS_RESET',
  bind: 'SMS_BIND',
  charge: 'SMS_CHARGE',
}
type SubmittedCode = { phone: string; code: string; deviceNo?: string | undefined }
const maxTries = 5

/** Creates a code, stores its hash for ten minutes and enqueues the text message for a worker. */
export async function issueCode(
  ctx: { db: Db; enqueue: Enqueue },
  to: Receiver,
  phone: string,
  purpose: Purpose,
  deviceNo?: string,
): Promise<void> {
  const { db, enqueue } = ctx
  const code = newSmsCode()
  const place = { organise_id: to.organise_id, agent_id: to.agent_id, site_id: to.site_id }
  await db
    .insertInto('sms_code')
    .values({
      ...place,
      ...(purpose === 'charge' ? { member_id: to.id } : { user_id: to.id }),
      phone,
      purpose,
      code_hash: hashOf({ phone, deviceNo, code }),
      expires_at: sql<string>`now() + interval '10 minutes'`,
    })
    .execute()
  const message = await db
    .insertInto('sms_message')
    .values({ ...place, phone, template: templates[purpose], params: JSON.stringify({ code, deviceNo }) })
    .returning('id')
    .executeTakeFirstOrThrow()
  await enqueue('sms.send', { messageId: message.id })
}

/** Counts a try at the newest code before it is verified: at most five in ten minutes. Returns the code's id while tries are left. */
export async function countTry(db: Db, phone: string, purpose: Purpose): Promise<string | undefined> {
  const newest = db
    .selectFrom('sms_code')
    .select('id')
    .where('phone', '=', phone)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<string>`now()`)
    .orderBy('id', 'desc')
    .limit(1)
  const tried = await db
    .updateTable('sms_code')
    .set({ tries: sql<number>`tries + 1` })
    .where('id', '=', newest)
    .where('tries', '<', maxTries)
    .returning('id')
    .executeTakeFirst()
  return tried?.id
}

/** Verifies a counted try. A code is valid once. Returns its owner, an account or a member. */
export async function useCode(
  db: Db,
  codeId: string | undefined,
  purpose: Purpose,
  { phone, code, deviceNo }: SubmittedCode,
): Promise<{ ownerId: string }> {
  const used = await db
    .updateTable('sms_code')
    .set({ used_at: sql<string>`now()` })
    .where('id', '=', codeId ?? null)
    .where('code_hash', '=', hashOf({ phone, code, deviceNo }))
    .where('used_at', 'is', null)
    .returning(['user_id', 'member_id'])
    .executeTakeFirst()
  const ownerId = used?.user_id ?? used?.member_id
  if (typeof ownerId === 'string') return { ownerId }
  const text = '验证码错误或已过期'
  if (purpose === 'bind' || purpose === 'charge') throw new Refusal(422, text, { keep: true, fields: { code: text } })
  throw new Refusal(401, text, { keep: true })
}

/** Invalidates unused codes, which may be on their way to a former phone of this person. */
export async function dropCodes(db: Db, userId: string): Promise<void> {
  await db
    .updateTable('sms_code')
    .set({ used_at: sql<string>`now()` })
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .execute()
}

/** A code for a charge is valid only at the device named in its message. */
const hashOf = ({ phone, code, deviceNo }: SubmittedCode) =>
  sha256(deviceNo === undefined ? `${phone}:${code}` : `${phone}@${deviceNo}:${code}`)
