import { sql } from 'kysely'
import type { Db } from './db.ts'
import type { Enqueue } from './jobs.ts'
import { Refusal } from './refusal.ts'
import { newSmsCode, sha256 } from './tokens.ts'

export type Purpose = 'login' | 'reset' | 'bind'
type Receiver = { id: string; organise_id: string; agent_id: string | null; site_id: string | null }

const templates: Record<Purpose, string> = { login: 'SMS_LOGIN', reset: 'SMS_RESET', bind: 'SMS_BIND' }
const maxTries = 5

/** Makes a code, keeps its hash for ten minutes, and leaves the message to a worker. */
export async function issueCode(
  ctx: { db: Db; enqueue: Enqueue },
  to: Receiver,
  phone: string,
  purpose: Purpose,
): Promise<void> {
  const { db, enqueue } = ctx
  const code = newSmsCode()
  const place = { organise_id: to.organise_id, agent_id: to.agent_id, site_id: to.site_id }
  await db
    .insertInto('sms_code')
    .values({
      ...place,
      user_id: to.id,
      phone,
      purpose,
      code_hash: hashOf(phone, code),
      expires_at: sql<string>`now() + interval '10 minutes'`,
    })
    .execute()
  const message = await db
    .insertInto('sms_message')
    .values({ ...place, phone, template: templates[purpose], params: JSON.stringify({ code }) })
    .returning('id')
    .executeTakeFirstOrThrow()
  await enqueue('sms.send', { messageId: message.id })
}

/** Counts a try at the newest code before it is judged: five, within ten minutes. Answers the code, unless it is used up. */
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

/** Judges a try that was counted. A code is good once. */
export async function useCode(
  db: Db,
  codeId: string | undefined,
  purpose: Purpose,
  { phone, code }: { phone: string; code: string },
): Promise<{ userId: string }> {
  const used = await db
    .updateTable('sms_code')
    .set({ used_at: sql<string>`now()` })
    .where('id', '=', codeId ?? null)
    .where('code_hash', '=', hashOf(phone, code))
    .where('used_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst()
  if (used !== undefined) return { userId: used.user_id }
  const text = '验证码错误或已过期'
  if (purpose === 'bind') throw new Refusal(422, text, { keep: true, fields: { code: text } })
  throw new Refusal(401, text, { keep: true })
}

/** Codes that are on their way to a phone which is no longer this person's. */
export async function dropCodes(db: Db, userId: string): Promise<void> {
  await db
    .updateTable('sms_code')
    .set({ used_at: sql<string>`now()` })
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .execute()
}

const hashOf = (phone: string, code: string) => sha256(`${phone}:${code}`)
