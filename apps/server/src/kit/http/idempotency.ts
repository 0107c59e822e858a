import { createHash } from 'node:crypto'
import { hasSecret } from '@wattdeck/contract/kit/privacy.ts'
import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import type { Actor } from '../auth/actor.ts'
import { placeOf } from '../auth/actor.ts'
import type { Db } from '../db/db.ts'
import type { Input } from './input.ts'
import { invalid } from './refusal.ts'
import type { Vault } from '../crypto/vault.ts'

export type StoredReply = { message: string; data: unknown }

const keyPattern = /^[\w-]{16,64}$/

/**
 * Validates the caller's idempotency key. Returns undefined when the route does not need one and none was sent, and for a
 * reply with a secret: it must not be stored, so a repeated request cannot receive the first reply.
 */
export function idempotencyKey(route: AnyRoute, header: string | string[] | undefined): string | undefined {
  if (route.method !== 'POST' || route.reads) return undefined
  if (!route.idempotent && hasSecret(route.data)) return undefined
  if (header === undefined && !route.idempotent) return undefined
  if (typeof header !== 'string' || !keyPattern.test(header)) throw invalid('缺少幂等键或格式不正确')
  return header
}

/** An amount of money is a bigint, which JSON does not support. */
const amountAsText = (_: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)

/**
 * Claims the key in the request's own transaction. A second request with the same key waits here for the first. If the
 * first committed, its reply is returned. If it failed, nothing is stored and the second proceeds.
 */
export async function claimKey(
  db: Db,
  vault: Vault,
  actor: Actor,
  key: string,
  route: AnyRoute,
  { file, ...fields }: Input,
): Promise<StoredReply | undefined> {
  const hash = createHash('sha256')
    .update(`${route.path}\n${JSON.stringify(fields, amountAsText)}\n`)
    .update(file?.bytes ?? '')
    .digest()
  const claimed = await db
    .insertInto('idempotency_key')
    .values({ ...placeOf(actor), user_id: actor.userId, key, request_hash: hash })
    .onConflict((clash) => clash.columns(['user_id', 'key']).doNothing())
    .executeTakeFirst()
  if (claimed.numInsertedOrUpdatedRows === 1n) return undefined
  const first = await db
    .selectFrom('idempotency_key')
    .select(['request_hash', 'reply'])
    .where('user_id', '=', actor.userId)
    .where('key', '=', key)
    .executeTakeFirst()
  if (first === undefined || !first.request_hash.equals(hash)) throw invalid('该幂等键已用于另一请求')
  return JSON.parse(vault.open(first.reply ?? '')) as StoredReply
}

/** A refusal is not stored, so that the caller can correct the request and reuse the key. */
export async function releaseKey(db: Db, actor: Actor, key: string): Promise<void> {
  await db.deleteFrom('idempotency_key').where('user_id', '=', actor.userId).where('key', '=', key).execute()
}

export async function storeReply(db: Db, vault: Vault, actor: Actor, key: string, reply: StoredReply): Promise<void> {
  await db
    .updateTable('idempotency_key')
    .set({ reply: vault.seal(JSON.stringify(reply)) })
    .where('user_id', '=', actor.userId)
    .where('key', '=', key)
    .execute()
}
