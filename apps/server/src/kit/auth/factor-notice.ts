import type { Db } from '../db/db.ts'
import type { Enqueue } from '../jobs/jobs.ts'
import { notify } from '../events/outbox.ts'

const template = 'SMS_FACTOR'
type Person = { id: string; organise_id: string; agent_id: string | null; site_id: string | null }

/**
 * Notifies a person of a changed login factor: in the notification drawer, and by text message to every phone concerned.
 * After a change of phone the old phone is included, because its owner may be the only one who notices.
 */
export async function notifyFactorChanged(
  { db, enqueue }: { db: Db; enqueue: Enqueue },
  person: Person,
  what: '手机号' | '密码' | '动态口令' | '通行密钥' | '二次验证',
  phones: readonly string[],
): Promise<void> {
  const body = `您的${what}已变更，如非本人操作请立即联系管理员`
  await notify(db, { ...person, userId: person.id }, { type: 3, title: '账号安全', body })
  for (const phone of new Set(phones)) await sendNotice({ db, enqueue }, person, what, phone)
}

/** Notifies a person that a recovery code replaced their second factor at a login. */
export async function notifyRecoveryCodeUsed(
  { db, enqueue }: { db: Db; enqueue: Enqueue },
  person: Person & { phone: string },
  remainingCodes: number,
): Promise<void> {
  const body = `您的账号刚刚使用恢复码登录，剩余${remainingCodes}个恢复码，如非本人操作请立即联系管理员`
  await notify(db, { ...person, userId: person.id }, { type: 3, title: '账号安全', body })
  await sendNotice({ db, enqueue }, person, '恢复码', person.phone)
}

async function sendNotice(
  { db, enqueue }: { db: Db; enqueue: Enqueue },
  { organise_id, agent_id, site_id }: Person,
  what: string,
  phone: string,
): Promise<void> {
  const message = await db
    .insertInto('sms_message')
    .values({ organise_id, agent_id, site_id, phone, template, params: JSON.stringify({ what }) })
    .returning('id')
    .executeTakeFirstOrThrow()
  await enqueue('sms.send', { messageId: message.id })
}
