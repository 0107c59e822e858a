import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startPaySandbox } from '../../../../../../pay-sandbox/src/sandbox.ts'
import { running } from '../../../../../test/harness/api.ts'
import { startNoticeInbox } from '../../../../../test/harness/notice-inbox.ts'
import { codeOf as codeIn, done, newNo, payAsk, refundAsk as refundOf } from '../../../../../test/fixtures/pay-asks.ts'
import type { PayRequest } from '../../provider.ts'
import type { WechatSetting } from './wechat-keys.ts'
import { WechatProvider } from './wechat-provider.ts'

type Sandbox = Awaited<ReturnType<typeof startPaySandbox>>
type Registered = ReturnType<Sandbox['register']>
let sandbox: Sandbox
let inbox: Awaited<ReturnType<typeof startNoticeInbox>>
let merchant: Registered
let provider: WechatProvider

const settingOf = ({ merchantNo, appId, certSerial, privateKey, apiV3Key }: Registered): WechatSetting => ({
  url: sandbox.url,
  merchantNo,
  appId,
  certSerial,
  privateKey,
  apiV3Keys: [apiV3Key],
  providerKeys: sandbox.publicKeys('wechat'),
  timeoutMs: 2000,
})
const ask = (more: Partial<PayRequest> = {}) => payAsk(inbox.url, more)
const codeOf = async (request: PayRequest) => codeIn(done(await provider.pay(request)))
async function paid(more: Partial<PayRequest> = {}, at?: Date): Promise<PayRequest> {
  const request = ask(more)
  sandbox.pay(await codeOf(request), { at })
  await inbox.take(1)
  return request
}

beforeAll(async () => {
  sandbox = await startPaySandbox({ retryMs: [] })
  running.push(sandbox.stop)
  inbox = await startNoticeInbox({ status: 204, body: '' })
  merchant = sandbox.register('wechat', { subMerchantNo: '1900000109' })
  provider = new WechatProvider(settingOf(merchant))
})
beforeEach(() => {
  sandbox.behave({})
  sandbox.behave({}, merchant.merchantNo)
  inbox.received.length = 0
})

describe('a payment', () => {
  test('by a code is waiting, then paid with the details of the provider', async () => {
    const request = ask({ title: '充值, `50` 元' })
    const code = await codeOf(request)
    const before = done(await provider.query(request.payNo)).payment
    expect(before).toMatchObject({ state: 'waiting', fen: undefined, transactionId: undefined })
    // Providers report whole seconds.
    const earliest = Math.floor(Date.now() / 1000) * 1000
    sandbox.pay(code, { payer: 'oPayer' })
    const { payment } = done(await provider.query(request.payNo))
    const { merchantNo, appId } = merchant
    expect(payment).toMatchObject({
      payNo: request.payNo,
      state: 'paid',
      fen: 1234n,
      payer: 'oPayer',
      merchantNo,
      appId,
    })
    expect(payment.paidAt?.getTime()).toBeGreaterThanOrEqual(earliest)
    expect(payment.paidAt?.getTime()).toBeLessThanOrEqual(Date.now())
    expect(sandbox.trades.at(-1)).toMatchObject({ profitSharing: false, transactionId: payment.transactionId })
  })

  test('inside the app is handed over with a signature that the app accepts', async () => {
    const { handle } = done(await provider.pay(ask({ by: { way: 'app', openId: 'oPerson' } })))
    if (!('handOver' in handle)) throw new Error('no hand-over')
    expect(() => sandbox.pay({ handOver: { ...handle.handOver, nonceStr: 'other' } })).toThrow('paySign')
    expect(sandbox.pay(handle).payer).toBe('oPerson')
  })

  test('requested twice is one payment with one code, and another amount is refused', async () => {
    const request = ask()
    const first = await codeOf(request)
    expect(await codeOf(request)).toEqual(first)
    expect(await provider.pay({ ...request, fen: 5n })).toMatchObject({ result: 'refused', code: 'OUT_TRADE_NO_USED' })
  })

  test('of a sub-merchant uses the partner mode', async () => {
    const partner = new WechatProvider({ ...settingOf(merchant), subMerchantNo: '1900000109' })
    const request = ask()
    const { handle } = done(await partner.pay(request))
    sandbox.pay(handle as { codeUrl: string })
    const { payment } = done(await partner.query(request.payNo))
    expect(payment).toMatchObject({ state: 'paid', merchantNo: '1900000109', appId: merchant.appId })
    const { refunding } = done(await partner.refund(refundOf(request, 1234n)))
    expect(done(await partner.queryRefund(refunding)).refunding).toMatchObject({ state: 'success' })
    const notices = (await inbox.take(2)).map(({ head, body }) => partner.readNotice(head, body))
    expect(new Set(notices.map((notice) => notice?.kind))).toEqual(new Set(['payment', 'refund']))
    expect(await provider.query(request.payNo)).toMatchObject({ result: 'refused', absent: true })
    const other = new WechatProvider({ ...settingOf(merchant), subMerchantNo: '1900000110' })
    expect(await other.pay(ask())).toMatchObject({ result: 'refused', code: 'MCH_NOT_EXISTS' })
  })

  test('that is closed cannot be paid; one that is paid cannot be closed; an unknown one is absent', async () => {
    const request = ask()
    const code = await codeOf(request)
    done(await provider.close(request.payNo))
    done(await provider.close(request.payNo))
    expect(() => sandbox.pay(code)).toThrow('closed')
    expect(done(await provider.query(request.payNo)).payment.state).toBe('closed')
    const other = await paid()
    expect(await provider.close(other.payNo)).toMatchObject({ result: 'refused', code: 'ORDERPAID' })
    expect(await provider.query(newNo())).toMatchObject({ result: 'refused', absent: true })
  })
})

describe('a refund', () => {
  test('is possible in parts, each once, and never exceeds the payment', async () => {
    const request = await paid()
    const part = refundOf(request, 1000n)
    expect(done(await provider.refund(part)).refunding).toMatchObject({ state: 'processing', fen: 1000n })
    expect(done(await provider.refund(part)).refunding).toMatchObject({ state: 'success', fen: 1000n })
    expect(await provider.refund({ ...part, fen: 999n })).toMatchObject({ result: 'refused', code: 'INVALID_REQUEST' })
    expect(await provider.refund(refundOf(request, 235n))).toMatchObject({ result: 'refused' })
    expect(await provider.refund({ ...refundOf(request, 1n), ofFen: 5n })).toMatchObject({ code: 'PARAM_ERROR' })
    done(await provider.refund(refundOf(request, 234n)))
    expect(done(await provider.query(request.payNo)).payment).toMatchObject({ state: 'refunded', fen: 1234n })
    expect(sandbox.trades.at(-1)?.refunds).toHaveLength(2)
  })

  test('is processing until it settles, and its notice contains the result', async () => {
    sandbox.behave({ holdRefunds: true })
    const request = await paid()
    const { refundNo, payNo } = done(await provider.refund(refundOf(request, 34n))).refunding
    expect(done(await provider.queryRefund({ refundNo, payNo })).refunding.state).toBe('processing')
    sandbox.settleRefund(refundNo, 'ABNORMAL')
    const [received] = await inbox.take(1)
    const notice = received && provider.readNotice(received.head, received.body)
    const { merchantNo } = merchant
    const refunding = { refundNo, payNo, state: 'abnormal', fen: 34n, merchantNo, refundedAt: undefined }
    expect(notice).toMatchObject({ kind: 'refund', refunding })
    expect(done(await provider.queryRefund({ refundNo, payNo })).refunding.state).toBe('abnormal')
    expect(await provider.queryRefund({ refundNo: newNo(), payNo })).toMatchObject({ result: 'refused', absent: true })
  })
})

describe('a notice', () => {
  async function receiveNotices(faults: Parameters<Sandbox['behave']>[0] = {}, count = 1) {
    sandbox.behave(faults)
    const request = ask()
    sandbox.pay(await codeOf(request))
    const received = await inbox.take(count)
    expect(received).toHaveLength(count)
    return { asked: request, received, read: received.map(({ head, body }) => provider.readNotice(head, body)) }
  }

  test('is verified by its raw bytes; copies have one id', async () => {
    const { asked: request, read } = await receiveNotices({ noticeCopies: 3 }, 3)
    const { merchantNo, appId } = merchant
    const payment = { payNo: request.payNo, state: 'paid', fen: 1234n, merchantNo, appId }
    expect(read[0]).toMatchObject({ kind: 'payment', payment })
    expect(new Set(read.map((notice) => notice?.id)).size).toBe(1)
  })

  test('with another amount reports that amount to the caller', async () => {
    const { read } = await receiveNotices({ noticeFenDelta: -1000 })
    expect(read[0]).toMatchObject({ payment: { fen: 234n } })
  })

  test('that is forged, old, from the future or altered is rejected', async () => {
    expect((await receiveNotices({ forgeNotices: true })).read).toEqual([undefined])
    expect((await receiveNotices({ noticeAgeMs: 301_000 })).read).toEqual([undefined])
    expect((await receiveNotices({ noticeAgeMs: -302_000 })).read).toEqual([undefined])
    const { received, read } = await receiveNotices()
    expect(read[0]).toBeDefined()
    const { head, body } = received[0] ?? { head: {}, body: Buffer.alloc(0) }
    expect(provider.readNotice(head, Buffer.from(body.toString().replace('{', '{ ')))).toBeUndefined()
    expect(provider.readNotice({ ...head, 'wechatpay-nonce': 'x' }, body)).toBeUndefined()
    expect(provider.readNotice({ ...head, 'wechatpay-serial': 'nobody' }, body)).toBeUndefined()
    expect(provider.readNotice({ ...head, 'wechatpay-timestamp': '1e3' }, body)).toBeUndefined()
    expect(provider.readNotice({}, body)).toBeUndefined()
    const sign = `WECHATPAY/SIGNTEST/${head['wechatpay-signature']}`
    expect(provider.readNotice({ ...head, 'wechatpay-signature': sign }, body)).toBeUndefined()
  })

  test('signed with the old or the new key is accepted while both are stored, and decrypts with either APIv3 key', async () => {
    const request = ask()
    const code = await codeOf(request)
    const { received: old } = await receiveNotices()
    sandbox.rotate('wechat')
    sandbox.pay(code)
    const fresh = await inbox.take(1)
    expect(fresh.map(({ head, body }) => provider.readNotice(head, body))).toEqual([undefined])
    const both = new WechatProvider({ ...settingOf(merchant), apiV3Keys: ['n'.repeat(32), merchant.apiV3Key] })
    const read = [...old, ...fresh].map(({ head, body }) => both.readNotice(head, body))
    expect(read).toMatchObject([{ kind: 'payment' }, { payment: { payNo: request.payNo } }])
    const closed = new WechatProvider({ ...settingOf(merchant), apiV3Keys: ['n'.repeat(32)] })
    expect(fresh.map(({ head, body }) => closed.readNotice(head, body))).toEqual([undefined])
    expect(await provider.query(request.payNo)).toMatchObject({ result: 'unknown' })
    expect(done(await both.query(request.payNo)).payment.state).toBe('paid')
    provider = both
  })

  test('may arrive in another order, late, or never', async () => {
    sandbox.behave({ reorderNotices: true })
    const [first, second] = [ask(), ask()]
    sandbox.pay(await codeOf(first))
    sandbox.pay(await codeOf(second))
    const read = (await inbox.take(2)).map(({ head, body }) => provider.readNotice(head, body))
    expect(read).toMatchObject([{ payment: { payNo: second.payNo } }, { payment: { payNo: first.payNo } }])
    sandbox.behave({ loseNotices: true })
    sandbox.pay(await codeOf(ask()))
    sandbox.behave({ noticeDelayMs: 150 })
    sandbox.pay(await codeOf(ask()))
    expect(inbox.received).toHaveLength(0)
    expect(await inbox.take(1)).toHaveLength(1)
  })
})

describe('the bill of a day', () => {
  const [day, next] = ['2026-03-01', '2026-03-02']
  test('contains every payment and refund with its fee, and is empty without trades', async () => {
    const billed = sandbox.register('wechat')
    provider = new WechatProvider(settingOf(billed))
    expect(done(await provider.bill(day)).lines).toEqual([])
    const late = await paid({ fen: 10_000n, title: '逗号,商品' }, new Date(`${day}T23:59:59+08:00`))
    const early = await paid({ fen: 50n }, new Date(`${day}T00:00:00+08:00`))
    const { lines } = done(await provider.bill(day))
    expect(lines).toMatchObject([
      { kind: 'payment', payNo: early.payNo, refundNo: undefined, fen: 50n, feeFen: 0n },
      { kind: 'payment', payNo: late.payNo, fen: 10_000n, feeFen: 60n, at: new Date(`${day}T23:59:59+08:00`) },
    ])
    const { refunding } = done(await provider.refund(refundOf(late, 5000n)))
    const today = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)
    const back = { kind: 'refund', payNo: late.payNo, refundNo: refunding.refundNo, fen: 5000n, feeFen: -30n }
    expect(done(await provider.bill(today)).lines).toMatchObject([back])

    sandbox.plant(billed.merchantNo, { kind: 'nextDay', no: late.payNo })
    sandbox.plant(billed.merchantNo, { kind: 'add', day, payNo: 'stray1', fen: 77 })
    sandbox.plant(billed.merchantNo, { kind: 'amount', no: early.payNo, fen: 51 })
    sandbox.plant(billed.merchantNo, { kind: 'fee', no: early.payNo, fen: 9 })
    const planted = done(await provider.bill(day)).lines
    expect(planted).toMatchObject([
      { payNo: early.payNo, fen: 51n, feeFen: 9n },
      { payNo: 'stray1', fen: 77n },
    ])
    expect(done(await provider.bill(next)).lines).toMatchObject([{ payNo: late.payNo }])
    sandbox.plant(billed.merchantNo, { kind: 'drop', no: late.payNo })
    expect(done(await provider.bill(next)).lines).toEqual([])
    provider = new WechatProvider(settingOf(merchant))
  })
})

describe('trouble', () => {
  test('makes slow, failed, lost, unsigned and forged answers unknown', async () => {
    for (const faults of [
      { slowMs: 2200 },
      { busy: true },
      { throttle: true },
      { vanish: true },
      { unsigned: true },
      { forgeReply: true },
    ]) {
      sandbox.behave(faults, merchant.merchantNo)
      expect(await provider.query(newNo()), JSON.stringify(faults)).toMatchObject({ result: 'unknown' })
    }
    sandbox.behave({ unsigned: true })
    expect(await provider.pay(ask())).toMatchObject({ result: 'unknown' })
  })

  test('that loses the answer of a request makes it unknown until a query returns its state', async () => {
    const request = await paid()
    const back = refundOf(request, 34n)
    sandbox.behave({ loseReply: true })
    expect(await provider.refund(back)).toMatchObject({ result: 'unknown' })
    const other = ask()
    expect(await provider.pay(other)).toMatchObject({ result: 'unknown' })
    sandbox.behave({})
    expect(done(await provider.queryRefund(back)).refunding).toMatchObject({ state: 'success', fen: 34n })
    done(await provider.refund(back))
    expect(done(await provider.query(request.payNo)).payment.state).toBe('refunded')
    expect(sandbox.trades.find(({ payNo }) => payNo === request.payNo)?.refunds).toHaveLength(1)
    expect(done(await provider.query(other.payNo)).payment.state).toBe('waiting')
  })

  test('with a wrong merchant key gets a signed refusal, and no answer quotes a secret', async () => {
    const wrong = sandbox.register('wechat')
    const mixed = new WechatProvider({ ...settingOf(merchant), privateKey: wrong.privateKey })
    const answer = await mixed.pay(ask())
    expect(answer).toEqual({ result: 'refused', code: 'SIGN_ERROR', words: '签名错误' })
    expect(() => new WechatProvider({ ...settingOf(merchant), apiV3Keys: ['short'] })).toThrow('32 bytes')
    expect(() => new WechatProvider({ ...settingOf(merchant), providerKeys: {} })).toThrow('no public key')
  })

  test('with a corrupt bill or a bill at a foreign address reads no bill and calls no other host', async () => {
    const { fen } = await paid({}, new Date('2026-02-01T12:00:00+08:00'))
    expect(done(await provider.bill('2026-02-01')).lines).toMatchObject([{ fen }])
    sandbox.behave({ spoilBills: true })
    const spoiled = { result: 'unknown', why: 'the bill is not what was promised' }
    expect(await provider.bill('2026-02-01')).toEqual(spoiled)
    sandbox.behave({ billsAt: new URL(inbox.url).origin })
    const elsewhere = { result: 'unknown', why: 'the address is not on the list' }
    expect(await provider.bill('2026-02-01')).toEqual(elsewhere)
    expect(inbox.received).toEqual([])
    const unsafe = new WechatProvider({ ...settingOf(merchant), url: 'http://pay.example' })
    expect(await unsafe.query(newNo())).toEqual(elsewhere)
  })
})
