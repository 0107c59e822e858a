import { createCipheriv, createSign, randomBytes } from 'node:crypto'
import { keyState, paySetting } from '@wattdeck/contract/accounting/pay-setting.ts'
import { openCharging } from '@wattdeck/contract/open/open-charging.ts'
import type { OpenClient } from '@wattdeck/open-client/open-client.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { newPair } from '../../../../pay-sandbox/src/merchants.ts'
import { makeOpenApp, makePayer } from '../../../test/fixtures/charging.ts'
import * as fixture from '../../../test/fixtures/payments.ts'
import { makeFixture, type Fixture } from '../../../test/harness/people.ts'
import { until } from '../../../test/harness/until.ts'

/** An editor of payment settings adds a forged provider key and signs notices with it. */
let there: fixture.PayContext
let people: Fixture
let client: OpenClient
let trader: fixture.Trader
let worker: Awaited<ReturnType<fixture.PayContext['startWorker']>>
const forger = { id: 'PUB_KEY_ID_FORGER', ...newPair() }
beforeAll(async () => {
  there = await fixture.startPayFixture()
  people = await makeFixture(there.api)
  client = await makeOpenApp(there.api, people.green.id)
  trader = await fixture.makeTrader(there, people.green.id)
  worker = await there.startWorker()
})
afterAll(() => worker.stop())

type Signer = { id: string; privateKey: string }

/** Sends the api a payment notice as WeChat does. */
async function sendNotice(payId: string, fen: number, { id, privateKey }: Signer): Promise<number> {
  const payment = {
    appid: trader.appId,
    mchid: trader.merchantNo,
    out_trade_no: `P${payId}`,
    transaction_id: `42${payId}`,
    trade_state: 'SUCCESS',
    success_time: '2026-11-15T10:00:00+08:00',
    payer: { openid: 'oPayer' },
    amount: { total: fen, currency: 'CNY' },
  }
  const nonce = randomBytes(6).toString('hex')
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(trader.apiV3Key), nonce).setAAD(Buffer.from('transaction'))
  const encrypted = Buffer.concat([cipher.update(JSON.stringify(payment), 'utf8'), cipher.final(), cipher.getAuthTag()])
  const body = JSON.stringify({
    id: randomBytes(10).toString('hex'),
    create_time: '2026-11-15T10:00:00+08:00',
    event_type: 'TRANSACTION.SUCCESS',
    resource_type: 'encrypt-resource',
    summary: '支付成功',
    resource: {
      algorithm: 'AEAD_AES_256_GCM',
      ciphertext: encrypted.toString('base64'),
      nonce,
      associated_data: 'transaction',
      original_type: 'transaction',
    },
  })
  const at = String(Math.floor(Date.now() / 1000))
  const headers = {
    'content-type': 'application/json',
    'wechatpay-serial': id,
    'wechatpay-timestamp': at,
    'wechatpay-nonce': nonce,
    'wechatpay-signature': createSign('RSA-SHA256').update(`${at}\n${nonce}\n${body}\n`).sign(privateKey, 'base64'),
  }
  return (await fetch(`${there.api.url}/open/api/pay/notice/wechat/${trader.id}`, { method: 'POST', headers, body }))
    .status
}

/** Creates an unpaid payment of this amount. */
async function askFor(amount: string) {
  const memberId = await makePayer(there.api, people.green.id, 0n)
  const rechargeNo = await fixture.requestRecharge(client, memberId, amount)
  const codeUrl = await fixture.codeOf(client, rechargeNo)
  const [pay] = await there.api.sql<{ id: string }>('select id from pay_order where ref_id = $1', [rechargeNo])
  return { memberId, rechargeNo, codeUrl, payId: pay?.id ?? '' }
}
const balanceOf = async (memberId: string) => (await client.call(openCharging.member, { params: { memberId } })).balance
const flagged = (payId: string) =>
  until(async () => {
    const [row] = await there.api.sql<{ status: number; problem: string | null }>(
      'select status, problem from pay_notice where pay_no = $1 and status <> 1',
      [`P${payId}`],
    )
    return row
  })
const addForgersKey = () =>
  there.api.call(people.green.admin.token, paySetting.addKey, {
    body: {
      id: trader.id,
      serial: trader.certSerial,
      privateKey: trader.privateKey,
      apiV3Key: trader.apiV3Key,
      providerKeyId: forger.id,
      providerKey: forger.publicKey,
    } as never,
  })
const newestKey = async () => {
  const { data } = await there.api.call(people.green.admin.token, paySetting.list)
  return data.rows.find(({ id }) => id === trader.id)?.keys[0]
}

describe('a provider key of one’s own', () => {
  it('[attack.H3] credits nothing when requested or approved, because no answer of the provider is signed with it', async () => {
    const { memberId, payId } = await askFor('90000.00')
    expect((await addForgersKey()).status).toBe(200)
    const wait = vi.spyOn(there.api.deps.refusals, 'wait')
    expect(await sendNotice(payId, 9_000_000, forger)).toBe(401)
    // Delayed answers slow down a flood of forged notices.
    expect(wait).toHaveBeenCalledTimes(1)
    wait.mockRestore()
    const body = { id: trader.id, keyId: (await newestKey())?.id ?? '' }
    expect((await there.api.call(people.platform.root.token, paySetting.approveKey, { body })).status).toBe(200)
    const tried = await until(async () => {
      const key = await newestKey()
      return key?.words ? key : undefined
    })
    expect(tried.state).toBe(keyState.code.trying)
    expect(tried.words).toContain('无法用所填的渠道公钥验证')
    expect(await sendNotice(payId, 9_000_000, forger)).toBe(401)
    expect(await balanceOf(memberId)).toBe('0.00')
    await there.api.call(people.green.admin.token, paySetting.retireKey, { body })
  })

  it.each(['90000.00', '1.00'])(
    '[attack.H3] credits nothing of a notice over %s on its first day, even when it is live',
    async (amount) => {
      await addForgersKey()
      const key = await newestKey()
      await there.api.sql(
        "update pay_key set approved_by = '测试', approved_at = now(), live_at = now() - interval '23 hours' where id = $1",
        [key?.id],
      )
      const { memberId, rechargeNo, codeUrl, payId } = await askFor(amount)
      expect(await sendNotice(payId, Number(amount) * 100, forger)).toBe(200)
      expect(await flagged(payId)).toEqual({ status: 3, problem: '通知内容与渠道查询结果不符，未入账' })
      expect(await balanceOf(memberId)).toBe('0.00')
      // A genuine payment is still credited, by the answer of the provider to a query.
      there.sandbox.pay({ codeUrl })
      await fixture.rechargeIn(client, rechargeNo, 'ALREADY_PAY_STATUS')
      expect(await balanceOf(memberId)).toBe(amount)
      await there.api.sql('update pay_key set retired_at = now() where id = $1', [key?.id])
    },
  )
})

describe('a notice under an old key', () => {
  const provider = (): Signer => {
    const key = there.sandbox.seed().keys.wechat.at(-1)
    if (key === undefined) throw new Error('the provider has no key')
    return key
  }

  it('of a large amount credits nothing before the provider confirms it', async () => {
    const { memberId, payId } = await askFor('1000.01')
    expect(await sendNotice(payId, 100_001, provider())).toBe(200)
    expect(await flagged(payId)).toMatchObject({ status: 3 })
    expect(await balanceOf(memberId)).toBe('0.00')
  })

  it('of a small amount is credited at once', async () => {
    const { memberId, payId } = await askFor('1000.00')
    expect(await sendNotice(payId, 100_000, provider())).toBe(200)
    expect(await balanceOf(memberId)).toBe('1000.00')
  })

  it('waits while the provider does not answer, and is credited when the provider answers', async () => {
    const { memberId, rechargeNo, codeUrl, payId } = await askFor('5000.00')
    there.sandbox.behave({ loseNotices: true }, trader.merchantNo)
    there.sandbox.pay({ codeUrl })
    there.sandbox.behave({ busy: true }, trader.merchantNo)
    expect(await sendNotice(payId, 500_000, provider())).toBe(200)
    await until(async () => {
      const [row] = await there.api.sql<{ asks: number }>(
        'select asks from pay_notice where pay_no = $1 and asks > 1',
        [`P${payId}`],
      )
      return row
    })
    expect(await balanceOf(memberId)).toBe('0.00')
    there.sandbox.behave({}, trader.merchantNo)
    await fixture.rechargeIn(client, rechargeNo, 'ALREADY_PAY_STATUS')
    expect(await balanceOf(memberId)).toBe('5000.00')
  })
})
