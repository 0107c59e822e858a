import { alipayStep } from '@wattdeck/contract/auth/alipay-auth.ts'
import { maskAlipayAccount } from '@wattdeck/domain/masks.ts'
import type pg from 'pg'
import type { AlipayOpen, Exchange } from '../../../integrations/alipay-open.ts'
import { appendAudit, workerEntry } from '../../../kit/audit/audit.ts'
import { inScope, commit, type Transaction } from '../../../kit/db/db.ts'
import { systemScope } from '../../../kit/db/system-scope.ts'
import type { Vault } from '../../../kit/crypto/vault.ts'
import * as store from './alipay-auth.store.ts'

const { done, refused, unknown } = alipayStep.code
type Claimed = { id: string; organiseId: string; inviteId: string }

/**
 * Exchanges a code for the account that consented. The worker calls the provider between two transactions. A lost reply
 * is recorded as unknown and not retried automatically: the person still sees the page and decides.
 */
export async function exchangeCode(pool: pg.Pool, vault: Vault, alipay: AlipayOpen, attemptId: string): Promise<void> {
  const claimed = await inScope(pool, systemScope, 'write', async ({ db }) =>
    commit(await store.claimAttempt(db, attemptId)),
  )
  if (claimed === undefined || claimed.sealed_code === null) return
  const answer = await alipay.exchange(vault.open(claimed.sealed_code))
  const attempt = { id: attemptId, organiseId: claimed.organise_id, inviteId: claimed.invite_id }
  await inScope(pool, systemScope, 'write', async (transaction) => {
    await record(transaction, vault, attempt, answer)
    return commit(undefined)
  })
}

async function record({ db, client }: Transaction, vault: Vault, attempt: Claimed, answer: Exchange): Promise<void> {
  const { id, organiseId, inviteId } = attempt
  const log = (content: string, result: 0 | 1, reason: string | null = null) => {
    const line = { organise_id: organiseId, module: '支付宝授权', path: 'alipay.exchange', user_name: '支付宝用户' }
    return appendAudit(client, workerEntry({ ...line, content, result, reason }))
  }
  if (answer.result === 'unknown') {
    await store.recordAnswer(db, id, { status: unknown })
    return
  }
  if (answer.result === 'refused') {
    const reason = '支付宝未接受本次授权，授权码可能已过期或已使用'
    if (await store.recordAnswer(db, id, { status: refused, reason })) await log('支付宝授权失败', 0, answer.code)
    return
  }
  // The invitation is locked first, in the same order as in every request.
  if (!(await store.useInvite(db, inviteId))) {
    const reason = '授权邀请已失效，请使用最新的邀请链接'
    if (await store.recordAnswer(db, id, { status: refused, reason })) await log('支付宝授权失败', 0, reason)
    return
  }
  if (!(await store.recordAnswer(db, id, { status: done })))
    throw new Error('the attempt was taken over by another worker')
  const account = maskAlipayAccount(answer.userId, answer.nickName)
  await store.saveAuthorisation(db, { organiseId, sealedUserId: vault.seal(answer.userId), account })
  await log(`支付宝授权成功：${account}`, 1)
}
