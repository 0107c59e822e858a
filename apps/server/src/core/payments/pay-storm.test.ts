import { createCipheriv, createSign, randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { accountKind } from '@wattdeck/contract/accounting/ledger-codes.ts'
import { atTier } from '../../../../../tools/check/tier.ts'
import { makePayer } from '../../../test/fixtures/charging.ts'
import * as fixture from '../../../test/fixtures/payments.ts'
import { makeFixture, type Fixture } from '../../../test/harness/people.ts'
import { startApiProcess } from '../../../test/harness/process.ts'

/** Payments whose notices arrive repeated, forged and contradictory at two api processes at once. */
const count = atTier(300, 1000)
/** Payments during which the keys change. */
const rotating = atTier(100, 300)
let there: fixture.PayContext
let people: Fixture
let traders: { green: fixture.Trader; swift: fixture.Trader }
let urls: string[]
/** The key that currently signs the notices of the provider. */
let signsWith: { id: string; privateKey: string }
const newestKey = () => {
  const key = there.sandbox.seed().keys.wechat.at(-1)
  if (key === undefined) throw new Error('the provider has no key')
  return key
}
beforeAll(async () => {
  there = await fixture.startPayFixture()
  signsWith = newestKey()
  people = await makeFixture(there.api)
  traders = {
    green: await fixture.makeTrader(there, people.green.id),
    swift: await fixture.makeTrader(there, people.swift.id),
  }
  const second = await startApiProcess(there.api.config)
  urls = [there.api.url, second.url]
  return () => second.stop()
})

type Params = { payId: string; rechargeId: string; fen: number; giftFen: number }

/** Inserts recharges that were sent to the provider and are not paid yet. */
const plant = (memberIds: readonly string[]) =>
  there.api.sql<Params>(
    `with wanted as (select n, 100 + n as fen, case when n % 4 = 0 then 50 else 0 end as gift, ($3::bigint[])[1 + n % $4] as member, app.pay_id() as recharge,
        app.pay_id() as pay from generate_series(1, $5::int) n),
      recharges as (insert into recharge_order (id, organise_id, target, member_id, pay_order_id, provider, amount_fen, gift_fen)
        select recharge, $1, 1, member, pay, 1, fen, gift from wanted),
      pays as (insert into pay_order (id, organise_id, merchant_id, provider, way, purpose, ref_id, member_id, amount_fen, profit_sharing, handle, expires_at, look_at)
        select pay, $1, $2, 1, 1, 2, recharge, member, fen, false, '{"codeUrl":"x"}', now() + interval '15 minutes', now() + interval '5 minutes' from wanted)
     select pay::text as "payId", recharge::text as "rechargeId", fen, gift as "giftFen" from wanted order by n`,
    [people.green.id, traders.green.id, memberIds, memberIds.length, count],
  )

type Reported = { payId: string; fen: number; merchantNo?: string; appId?: string; noticeId: string }

/** A notice in WeChat's format and signature, with the given content. */
function noticeOf({ payId, fen, noticeId, merchantNo, appId }: Reported, forged = false) {
  const { green } = traders
  const payment = {
    appid: appId ?? green.appId,
    mchid: merchantNo ?? green.merchantNo,
    out_trade_no: `P${payId}`,
    transaction_id: `42${payId}`,
    trade_state: 'SUCCESS',
    success_time: '2026-11-15T10:00:00+08:00',
    payer: { openid: 'oPayer' },
    amount: { total: fen, currency: 'CNY' },
  }
  const nonce = randomBytes(6).toString('hex')
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(green.apiV3Key), nonce).setAAD(Buffer.from('transaction'))
  const encrypted = Buffer.concat([cipher.update(JSON.stringify(payment), 'utf8'), cipher.final(), cipher.getAuthTag()])
  const body = JSON.stringify({
    id: noticeId,
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
  return { body, headers: signed(body, forged) }
}

function signed(body: string, forged: boolean) {
  const { id, privateKey } = signsWith
  const [timestamp, nonce] = [String(Math.floor(Date.now() / 1000)), randomBytes(8).toString('hex')]
  const key = forged ? traders.swift.privateKey : privateKey
  return {
    'content-type': 'application/json',
    'wechatpay-serial': id,
    'wechatpay-timestamp': timestamp,
    'wechatpay-nonce': nonce,
    'wechatpay-signature': createSign('RSA-SHA256').update(`${timestamp}\n${nonce}\n${body}\n`).sign(key, 'base64'),
  }
}

const sendNotice = async (at: number, merchantId: string, notice: ReturnType<typeof noticeOf>): Promise<number> => {
  const url = `${urls[at % urls.length]}/open/api/pay/notice/wechat/${merchantId}`
  return (await fetch(url, { method: 'POST', headers: notice.headers, body: notice.body })).status
}

async function atOnce<T>(items: readonly T[], lanes: number, work: (item: T, at: number) => Promise<void>) {
  const entries = items.entries()
  const lane = async () => {
    for (const [at, item] of entries) await work(item, at)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}

type Kind = 'good' | 'forged' | 'amount' | 'merchant' | 'app'
/** 10 % forged, 10 % contradictory, the rest good. */
const kindOf = (n: number): Kind =>
  n % 10 === 3 ? 'forged' : n % 30 === 7 ? 'amount' : n % 30 === 17 ? 'merchant' : n % 30 === 27 ? 'app' : 'good'

const noticeFor = ({ payId, fen }: Params, kind: Kind) =>
  noticeOf(
    {
      payId,
      noticeId: `N${payId}`,
      fen: kind === 'amount' ? fen + 100_000 : fen,
      ...(kind === 'merchant' ? { merchantNo: traders.swift.merchantNo } : {}),
      ...(kind === 'app' ? { appId: traders.swift.appId } : {}),
    },
    kind === 'forged',
  )

const sumOf = (kind: keyof typeof accountKind.code) =>
  fixture.accountSum(there.api, people.green.id, accountKind.code[kind])

describe('many recharges', () => {
  it('notified one to five times each, are credited exactly once each if the notice is true', async () => {
    const members = await Promise.all(Array.from({ length: 20 }, () => makePayer(there.api, people.green.id, 0n)))
    const recharges = await plant(members)
    const copies = recharges.flatMap((one, n) =>
      Array.from({ length: 1 + (n % 5) }, (_, copy) => ({
        one,
        kind: kindOf(n),
        copy,
        order: (n * 7919 + copy * 104_729) % 5003,
      })),
    )
    const answers = new Map<string, number>()
    await atOnce(
      copies.toSorted((a, b) => a.order - b.order),
      24,
      async ({ one, kind }, at) => {
        const status = await sendNotice(at, traders.green.id, noticeFor(one, kind))
        answers.set(`${kind} ${status}`, (answers.get(`${kind} ${status}`) ?? 0) + 1)
      },
    )
    const good = recharges.filter((_, n) => kindOf(n) === 'good')
    expect([...answers.keys()].toSorted()).toEqual(['amount 200', 'app 200', 'forged 401', 'good 200', 'merchant 200'])
    const paid = await there.api.sql<{ id: string }>('select id::text from recharge_order where status = 2 order by id')
    expect(paid.map(({ id }) => id)).toEqual(good.map(({ rechargeId }) => rechargeId).toSorted())
    const total = (of: (one: Params) => number) => BigInt(good.reduce((sum, one) => sum + of(one), 0))
    expect(await sumOf('memberPaid')).toBe(total(({ fen }) => fen))
    expect(await sumOf('memberGift')).toBe(total(({ giftFen }) => giftFen))
    // The merchant's rate is in 1/100000; fees are rounded per payment.
    const fees = total(({ fen }) => Math.floor((fen * 600 + 50_000) / 100_000))
    expect(await sumOf('channelFee')).toBe(-fees)
    expect(await sumOf('channel')).toBe(-total(({ fen }) => fen) + fees)
    const noticeCounts = await there.api.sql<{ status: number; count: number }>(
      'select status, count(*)::int as count from pay_notice group by 1 order by 1',
    )
    const strange = recharges.filter((_, n) => ['amount', 'merchant', 'app'].includes(kindOf(n))).length
    expect(noticeCounts).toEqual([
      { status: 2, count: good.length },
      { status: 3, count: strange },
    ])
    await there.api.sql('select app.seal_ledger()')
    expect(await fixture.ledgerBreaks(there.api)).toEqual([])
  })

  it('would be credited twice by a check without a lock (control case)', async () => {
    const memberId = await makePayer(there.api, people.green.id, 0n)
    const [row] = await there.api.sql<{ id: string }>(
      `insert into recharge_order (organise_id, target, member_id, provider, amount_fen) values ($1, 1, $2, 1, 100) returning id`,
      [people.green.id, memberId],
    )
    let credits = 0
    const naive = async () => {
      const [seen] = await there.api.sql<{ status: number }>('select status from recharge_order where id = $1', [
        row?.id,
      ])
      if (seen?.status !== 1) return
      credits++
      await there.api.sql(`update recharge_order set status = 2, paid_at = now() where id = $1 and status = 1`, [
        row?.id,
      ])
    }
    await Promise.all(Array.from({ length: 5 }, naive))
    expect(credits).toBeGreaterThan(1)
  })
})

describe('a key change', () => {
  it('of the merchant and the provider during a run refuses no valid notice', async () => {
    const memberId = await makePayer(there.api, people.green.id, 0n)
    const recharges = await plant([memberId])
    const statuses = new Set<number>()
    const old: fixture.Trader[] = []
    const change = new Map<number, () => Promise<void>>([
      [
        rotating / 2,
        async () => {
          // The api stores the provider's next key before the provider signs with it.
          there.sandbox.rotate('wechat')
          const renewed = there.sandbox.register('wechat', {
            merchantNo: traders.green.merchantNo,
            appId: traders.green.appId,
          })
          const next = { ...traders.green, ...renewed }
          await fixture.addTraderKey(there, people.green.id, next)
          old.push(traders.green)
          traders.green = next
          signsWith = newestKey()
        },
      ],
    ])
    await atOnce(recharges.slice(0, rotating), 8, async (one, at) => {
      // Signed before the change and sent after it, some notices arrive with the old keys.
      const notice = noticeFor(one, 'good')
      await change.get(at)?.()
      statuses.add(await sendNotice(at, traders.green.id, notice))
    })
    expect([...statuses]).toEqual([200])
    expect(old).toHaveLength(1)
    expect(
      await there.api.sql('select 1 from recharge_order where status = 2 and member_id = $1', [memberId]),
    ).toHaveLength(rotating)
    // After its retirement the old key is no longer accepted.
    await there.api.sql('update pay_key set retired_at = now() where merchant_id = $1 and serial = $2', [
      traders.green.id,
      old[0]?.certSerial,
    ])
    const [next] = recharges.slice(rotating, rotating + 1)
    if (next === undefined) throw new Error('no recharge left')
    const renewed = traders.green
    traders.green = { ...renewed, apiV3Key: old[0]?.apiV3Key ?? '' }
    expect(await sendNotice(0, renewed.id, noticeFor(next, 'good'))).toBe(401)
    traders.green = renewed
    expect(await sendNotice(0, renewed.id, noticeFor(next, 'good'))).toBe(200)
  })
})
