import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startPaySandbox } from '../../../../../../pay-sandbox/src/sandbox.ts'
import { running } from '../../../../../test/harness/api.ts'
import { startNoticeInbox } from '../../../../../test/harness/notice-inbox.ts'
import { codeOf as codeIn, done, newNo, payAsk, refundAsk } from '../../../../../test/fixtures/pay-asks.ts'
import type { PayRequest } from '../../provider.ts'
import type { AlipaySetting } from './alipay-keys.ts'
import { AlipayProvider } from './alipay-provider.ts'

type Sandbox = Awaited<ReturnType<typeof startPaySandbox>>
type Registered = ReturnType<Sandbox['register']>
let sandbox: Sandbox
let inbox: Awaited<ReturnType<typeof startNoticeInbox>>
let merchant: Registered
let provider: AlipayProvider

const settingOf = ({ merchantNo, appId, privateKey }: Registered): AlipaySetting => ({
  gateway: sandbox.gateway,
  merchantNo,
  appId,
  privateKey,
  providerKeys: Object.values(sandbox.publicKeys('alipay')),
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
  inbox = await startNoticeInbox({ status: 200, body: 'success' })
  merchant = sandbox.register('alipay')
  provider = new AlipayProvider(settingOf(merchant))
})
beforeEach(() => {
  sandbox.behave({})
  inbox.received.length = 0
})

describe('a payment', () => {
  test('by a code is absent until it is scanned, then waiting, then paid', async () => {
    const request = ask({ title: '充值/50=元&' })
    const code = await codeOf(request)
    expect(code.codeUrl).toMatch(/^https:\/\/qr\.alipay\.com\//)
    expect(await provider.query(request.payNo)).toMatchObject({ result: 'refused', absent: true })
    sandbox.scan(code)
    expect(done(await provider.query(request.payNo)).payment).toMatchObject({ state: 'waiting', fen: undefined })
    // Providers report whole seconds.
    const earliest = Math.floor(Date.now() / 1000) * 1000
    sandbox.pay(code, { payer: '2088000000000001' })
    const { payment } = done(await provider.query(request.payNo))
    const { merchantNo, appId } = merchant
    const expected = { state: 'paid', fen: 1234n, payer: '2088000000000001', merchantNo, appId }
    expect(payment).toMatchObject({ payNo: request.payNo, ...expected })
    expect(payment.paidAt?.getTime()).toBeGreaterThanOrEqual(earliest)
    expect(payment.paidAt?.getTime()).toBeLessThanOrEqual(Date.now())
    expect(sandbox.trades.at(-1)).toMatchObject({ profitSharing: false, transactionId: payment.transactionId })
  })

  test('inside the app is handed over by its trade number to one payer', async () => {
    for (const openId of ['2088000000000007', 'oNewPerson']) {
      const { handle } = done(await provider.pay(ask({ by: { way: 'app', openId } })))
      expect(sandbox.pay(handle).payer).toBe(openId)
    }
  })

  test('requested twice exists once; another amount is refused; amounts are exact to the fen', async () => {
    const request = ask({ fen: 999_999_999n })
    expect(await codeOf(request)).toEqual(await codeOf(request))
    expect(sandbox.trades.at(-1)?.fen).toBe(999_999_999)
    const other = await provider.pay({ ...request, fen: 29n })
    expect(other).toMatchObject({ result: 'refused', code: 'ACQ.CONTEXT_INCONSISTENT' })
  })

  test('that is closed cannot be paid; one that is paid cannot be closed', async () => {
    const request = ask()
    const code = await codeOf(request)
    expect(await provider.close(request.payNo)).toMatchObject({ result: 'refused', absent: true })
    sandbox.scan(code)
    done(await provider.close(request.payNo))
    done(await provider.close(request.payNo))
    expect(() => sandbox.pay(code)).toThrow('closed')
    expect(done(await provider.query(request.payNo)).payment.state).toBe('closed')
    const other = await paid()
    expect(await provider.close(other.payNo)).toMatchObject({ result: 'refused', code: 'ACQ.TRADE_STATUS_ERROR' })
    expect(done(await provider.query(other.payNo)).payment.state).toBe('paid')
  })
})

describe('a refund', () => {
  test('is possible in parts, each once, and never exceeds the payment', async () => {
    const request = await paid()
    const part = refundAsk(request, 1000n)
    expect(done(await provider.refund(part)).refunding).toMatchObject({ state: 'success', fen: 1000n })
    expect(done(await provider.refund(part)).refunding).toMatchObject({ state: 'success', fen: 1000n })
    expect(await provider.refund({ ...part, fen: 1n })).toMatchObject({ code: 'ACQ.DISCORDANT_REPEAT_REQUEST' })
    expect(await provider.refund(refundAsk(request, 235n))).toMatchObject({ code: 'ACQ.REFUND_AMT_NOT_EQUAL_TOTAL' })
    expect(done(await provider.query(request.payNo)).payment.state).toBe('paid')
    done(await provider.refund(refundAsk(request, 234n)))
    expect(done(await provider.query(request.payNo)).payment).toMatchObject({ state: 'refunded', fen: 1234n })
    const result = done(await provider.queryRefund(part)).refunding
    expect(result).toMatchObject({ refundNo: part.refundNo, state: 'success', fen: 1000n })
    expect(result.refundedAt).toBeInstanceOf(Date)
  })

  test('that has not settled yet is processing, and its notice contains no amount', async () => {
    sandbox.behave({ holdRefunds: true })
    const request = await paid()
    const back = refundAsk(request, 34n)
    expect(done(await provider.refund(back)).refunding.state).toBe('processing')
    expect(done(await provider.refund(back)).refunding.state).toBe('processing')
    expect(await provider.queryRefund(back)).toMatchObject({ result: 'refused', absent: true })
    sandbox.settleRefund(back.refundNo, 'SUCCESS')
    const [received] = await inbox.take(1)
    const { refundNo, payNo } = back
    const refunding = { refundNo, payNo, state: 'success', fen: undefined, merchantNo: merchant.merchantNo }
    expect(received && provider.readNotice(received.head, received.body)).toMatchObject({ kind: 'refund', refunding })
    expect(done(await provider.refund(back)).refunding).toMatchObject({ state: 'success', fen: 34n })
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

  test('is verified by its fields; copies have one id; another amount is reported unchanged', async () => {
    const { asked: request, read } = await receiveNotices({ noticeCopies: 2, noticeFenDelta: -34 }, 2)
    const { merchantNo, appId } = merchant
    const payment = { payNo: request.payNo, state: 'paid', fen: 1200n, merchantNo, appId }
    expect(read[0]).toMatchObject({ kind: 'payment', payment })
    expect(read[1]?.id).toBe(read[0]?.id)
  })

  test('that is forged, too old, from the future or altered is rejected', async () => {
    expect((await receiveNotices({ forgeNotices: true })).read).toEqual([undefined])
    expect((await receiveNotices({ noticeAgeMs: 27 * 3_600_000 })).read).toEqual([undefined])
    expect((await receiveNotices({ noticeAgeMs: -400_000 })).read).toEqual([undefined])
    expect((await receiveNotices({ noticeAgeMs: 24 * 3_600_000 })).read[0]).toBeDefined()
    const { received, read } = await receiveNotices()
    expect(read[0]).toBeDefined()
    const text = received[0]?.body.toString() ?? ''
    const altered = [
      text.replace('total_amount=12.34', 'total_amount=99.34'),
      `${text}&total_amount=99.34`,
      `${text}&more=1`,
      text.replace('sign_type=RSA2', 'sign_type=RSA'),
      text.replace(/&sign=[^&]+/, ''),
      text.replace(/&sign=[^&]+/, '&sign='),
      '',
    ]
    for (const body of altered) expect(provider.readNotice({}, Buffer.from(body)), body).toBeUndefined()
  })

  test('signed with the old or the new key is accepted while both are stored', async () => {
    const request = ask()
    const code = await codeOf(request)
    const { received: old } = await receiveNotices()
    sandbox.rotate('alipay')
    sandbox.pay(code)
    const fresh = await inbox.take(1)
    expect(fresh.map(({ head, body }) => provider.readNotice(head, body))).toEqual([undefined])
    const both = new AlipayProvider(settingOf(merchant))
    const read = [...old, ...fresh].map(({ head, body }) => both.readNotice(head, body))
    expect(read).toMatchObject([{ kind: 'payment' }, { payment: { payNo: request.payNo } }])
    expect(await provider.query(request.payNo)).toMatchObject({ result: 'unknown' })
    expect(done(await both.query(request.payNo)).payment.state).toBe('paid')
    provider = both
  })
})

describe('the bill of a day', () => {
  const [day, next] = ['2026-03-01', '2026-03-02']
  test('contains every payment and refund with its fee, and is empty without trades', async () => {
    const billed = sandbox.register('alipay')
    provider = new AlipayProvider(settingOf(billed))
    expect(done(await provider.bill(day)).lines).toEqual([])
    const late = await paid({ fen: 10_000n, title: '逗号,商品' }, new Date(`${day}T23:59:59+08:00`))
    const early = await paid({ fen: 50n }, new Date(`${day}T00:00:00+08:00`))
    expect(done(await provider.bill(day)).lines).toMatchObject([
      { kind: 'payment', payNo: early.payNo, refundNo: undefined, fen: 50n, feeFen: 0n },
      { kind: 'payment', payNo: late.payNo, fen: 10_000n, feeFen: 60n, at: new Date(`${day}T23:59:59+08:00`) },
    ])
    const back = refundAsk(late, 5000n)
    done(await provider.refund(back))
    const today = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)
    const line = { kind: 'refund', payNo: late.payNo, refundNo: back.refundNo, fen: 5000n, feeFen: -30n }
    expect(done(await provider.bill(today)).lines).toMatchObject([line])
    sandbox.plant(billed.merchantNo, { kind: 'nextDay', no: late.payNo })
    sandbox.plant(billed.merchantNo, { kind: 'add', day, payNo: 'stray1', fen: 77 })
    sandbox.plant(billed.merchantNo, { kind: 'drop', no: early.payNo })
    expect(done(await provider.bill(day)).lines).toMatchObject([{ payNo: 'stray1', fen: 77n }])
    expect(done(await provider.bill(next)).lines).toMatchObject([{ payNo: late.payNo }])
    provider = new AlipayProvider(settingOf(merchant))
  })
})

describe('trouble', () => {
  test('makes slow, failed, lost, unsigned and forged answers unknown', async () => {
    const request = await paid()
    const faulty = [{ busy: true }, { throttle: true }, { vanish: true }, { unsigned: true }, { forgeReply: true }]
    sandbox.behave({ slowMs: 2200 })
    expect(await provider.query(request.payNo)).toEqual({ result: 'unknown', why: 'no answer in time' })
    for (const faults of faulty) {
      sandbox.behave(faults)
      expect(await provider.query(request.payNo), JSON.stringify(faults)).toMatchObject({ result: 'unknown' })
      expect(await provider.query(newNo()), JSON.stringify(faults)).toMatchObject({ result: 'unknown' })
    }
  })

  test('with a corrupt bill or a bill at a foreign address reads no bill', async () => {
    await paid({}, new Date('2026-02-01T12:00:00+08:00'))
    done(await provider.bill('2026-02-01'))
    sandbox.behave({ spoilBills: true })
    expect(await provider.bill('2026-02-01')).toEqual({ result: 'unknown', why: 'the bill cannot be read' })
    sandbox.behave({ billsAt: new URL(inbox.url).origin })
    expect(await provider.bill('2026-02-01')).toEqual({ result: 'unknown', why: 'the address is not on the list' })
    expect(inbox.received).toEqual([])
  })

  test('that loses the answer of a refund makes it unknown until a query returns its state', async () => {
    const request = await paid()
    const back = refundAsk(request, 34n)
    sandbox.behave({ loseReply: true })
    expect(await provider.refund(back)).toMatchObject({ result: 'unknown' })
    sandbox.behave({})
    expect(done(await provider.queryRefund(back)).refunding).toMatchObject({ state: 'success', fen: 34n })
    expect(done(await provider.refund(back)).refunding).toMatchObject({ state: 'success', fen: 34n })
    expect(sandbox.trades.find(({ payNo }) => payNo === request.payNo)?.refunds).toHaveLength(1)
  })

  test('with a wrong merchant key gets a signed refusal; keys may be PEM or bare base64', async () => {
    const wrong = sandbox.register('alipay')
    const mixed = new AlipayProvider({ ...settingOf(merchant), privateKey: wrong.privateKey })
    expect(await mixed.pay(ask())).toMatchObject({ result: 'refused', code: 'isv.invalid-signature' })
    const { privateKey, providerKeys, ...rest } = settingOf(merchant)
    const bare = (pem: string) => pem.replaceAll(/-----[^-]+-----|\s/g, '')
    const plain = { ...rest, privateKey: bare(privateKey), providerKeys: providerKeys.map(bare) }
    done(await new AlipayProvider(plain).pay(ask()))
    expect(() => new AlipayProvider({ ...rest, privateKey, providerKeys: [] })).toThrow('no public key')
  })
})
