import type pg from 'pg'
import { inScope, commit } from '../kit/db/db.ts'
import { systemScope } from '../kit/db/system-scope.ts'
import type { AliyunSms } from './aliyun-sms.ts'

const smsStatus = { waiting: 0, sent: 1, failed: 2 } as const

/**
 * Sends one message. The provider is called between two transactions, never inside one. Thrown errors make pg-boss
 * try again; a code that arrives twice harms nobody.
 */
export async function sendSms(pool: pg.Pool, sms: AliyunSms, messageId: string): Promise<void> {
  const message = await inScope(pool, systemScope, 'read', async ({ db }) =>
    commit(
      await db
        .selectFrom('sms_message')
        .select(['phone', 'template', 'params'])
        .where('id', '=', messageId)
        .where('status', '=', smsStatus.waiting)
        .executeTakeFirst(),
    ),
  )
  if (message === undefined) return
  const outcome = await sms.send(message.phone, message.template, message.params as Record<string, string>)
  if (!outcome.sent && outcome.mayRetry) throw new Error(outcome.error)
  await inScope(pool, systemScope, 'write', async ({ db }) => {
    await db
      .updateTable('sms_message')
      .set(
        outcome.sent
          ? { status: smsStatus.sent, provider_id: outcome.providerId, params: null, sent_at: new Date().toISOString() }
          : { status: smsStatus.failed, error: outcome.error, params: null },
      )
      .where('id', '=', messageId)
      .execute()
    return commit(undefined)
  })
}
