import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startPaySandbox } from '../../../../../../pay-sandbox/src/sandbox.ts'
import { running } from '../../../../../test/harness/api.ts'
import { startNoticeInbox } from '../../../../../test/harness/notice-inbox.ts'
import { codeOf as codeIn, done, newNo, payAsk, refundAsk } from '../../../../../test/fixtures/pay-asks.ts'
import type { PayAsk } from '../../provider.ts'
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
const ask = (more: Partial<PayAsk> = {}) => payAsk(inbox.url, more)
const codeOf = async (asked: PayAsk) => codeIn(done(await provider.pay(asked)))
async function paid(more: Partial<PayAsk> = {}, at?: Date): Promise<PayAsk> {
  const asked = ask(more)
  sandbox.pay(await codeOf(asked), { at })
  await inbox.take(1)
  return asked
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
  inbox.heard.length = 0
})

describe('a payment', () => {
  test('by a code is absent until it is scanned, then waiting, then paid', async () => {
    const asked = ask({ title: '充值/50=元&' })
    const code = await codeOf(asked)
    expect(code.codeUrl).toMatch(/^https:\/\/qr\.alipay\.com\//)
    expect(await provider.query(asked.payNo)).toMatchObject({ result: 'refused', absent: true })
    sandbox.scan(code)
    expect(done(await provider.query(asked.payNo)).payment).toMatchObject({ state: 'waiting', fen: undefined })
    // Providers tell whole seconds.
    const earliest = Math.floor(Date.now() / 1000) * 1000
    sandbox.pay(code, { payer: '2088000000000001' })
    const { payment } = done(await provider.query(asked.payNo))
    const { merchantNo, appId } = merchant
    const told = { state: 'paid', fen: 1234n, payer: '2088000000000001', merchantNo, appId }
    expect(payment).toMatchObject({ payNo: asked.payNo, ...told })
    expect(payment.paidAt?.getTime()).toBeGreaterThanOrEqual(earliest)
    expect(payment.paidAt?.getTime()).toBeLessThanOrEqual(Date.now())
    expect(sandbox.trades.at(-1)).toMatchObject({ profitSharing: false, transactionId: payment.transactionId })
  })

  test('inside the app is handed over by its number, to one person', async () => {
    for (const openId of ['2088000000000007', 'oNewPerson']) {
      const { handle } = done(await provider.pay(ask({ by: { way: 'app', openId } })))
      expect(sandbox.pay(handle).payer).toBe(openId)
    }
  })

  test('asked twice is one; another amount is refused; amounts are exact to the fen', async () => {
    const asked = ask({ fen: 999_999_999n })
    expect(await codeOf(asked)).toEqual(await codeOf(asked))
    expect(sandbox.trades.at(-1)?.fen).toBe(999_999_999)
    const other = await provider.pay({ ...asked, fen: 29n })
    expect(other).toMatchObject({ result: 'refused', code: 'ACQ.CONTEXT_INCONSISTENT' })
  })

  test('that is closed cannot be paid; one that is paid keeps its money when somebody closes it', async () => {
    const asked = ask()
    const code = await codeOf(asked)
    expect(await provider.close(asked.payNo)).toMatchObject({ result: 'refused', absent: true })
    sandbox.scan(code)
    done(await provider.close(asked.payNo))
    done(await provider.close(asked.payNo))
    expect(() => sandbox.pay(code)).toThrow('closed')
    expect(done(await provider.query(asked.payNo)).payment.state).toBe('closed')
    const other = await paid()
    expect(await provider.close(other.payNo)).toMatchObject({ result: 'refused', code: 'ACQ.TRADE_STATUS_ERROR' })
    expect(done(await provider.query(other.payNo)).payment.state).toBe('paid')
  })
})

describe('a refund', () => {
  test('goes back in parts, each once, never more than was paid', async () => {
    const asked = await paid()
    const part = refundAsk(asked, 1000n)
    expect(done(await provider.refund(part)).refunding).toMatchObject({ state: 'success', fen: 1000n })
    expect(done(await provider.refund(part)).refunding).toMatchObject({ state: 'success', fen: 1000n })
    expect(await provider.refund({ ...part, fen: 1n })).toMatchObject({ code: 'ACQ.DISCORDANT_REPEAT_REQUEST' })
    expect(await provider.refund(refundAsk(asked, 235n))).toMatchObject({ code: 'ACQ.REFUND_AMT_NOT_EQUAL_TOTAL' })
    expect(done(await provider.query(asked.payNo)).payment.state).toBe('paid')
    done(await provider.refund(refundAsk(asked, 234n)))
    expect(done(await provider.query(asked.payNo)).payment).toMatchObject({ state: 'refunded', fen: 1234n })
    const found = done(await provider.queryRefund(part)).refunding
    expect(found).toMatchObject({ refundNo: part.refundNo, state: 'success', fen: 1000n })
    expect(found.refundedAt).toBeInstanceOf(Date)
  })

  test('that has not moved yet is processing, and the notice names it without an amount', async () => {
    sandbox.behave({ holdRefunds: true })
    const asked = await paid()
    const back = refundAsk(asked, 34n)
    expect(done(await provider.refund(back)).refunding.state).toBe('processing')
    expect(done(await provider.refund(back)).refunding.state).toBe('processing')
    expect(await provider.queryRefund(back)).toMatchObject({ result: 'refused', absent: true })
    sandbox.settleRefund(back.refundNo, 'SUCCESS')
    const [heard] = await inbox.take(1)
    const { refundNo, payNo } = back
    const refunding = { refundNo, payNo, state: 'success', fen: undefined, merchantNo: merchant.merchantNo }
    expect(heard && provider.readNotice(heard.head, heard.body)).toMatchObject({ kind: 'refund', refunding })
    expect(done(await provider.refund(back)).refunding).toMatchObject({ state: 'success', fen: 34n })
  })
})

describe('a notice', () => {
  async function heardOf(faults: Parameters<Sandbox['behave']>[0] = {}, count = 1) {
    sandbox.behave(faults)
    const asked = ask()
    sandbox.pay(await codeOf(asked))
    const heard = await inbox.take(count)
    expect(heard).toHaveLength(count)
    return { asked, heard, read: heard.map(({ head, body }) => provider.readNotice(head, body)) }
  }

  test('is read by its fields; its copies have one id; another amount is told as it is', async () => {
    const { asked, read } = await heardOf({ noticeCopies: 2, noticeFenDelta: -34 }, 2)
    const { merchantNo, appId } = merchant
    const payment = { payNo: asked.payNo, state: 'paid', fen: 1200n, merchantNo, appId }
    expect(read[0]).toMatchObject({ kind: 'payment', payment })
    expect(read[1]?.id).toBe(read[0]?.id)
  })

  test('that is forged, older than the provider tells, from tomorrow or altered is none', async () => {
    expect((await heardOf({ forgeNotices: true })).read).toEqual([undefined])
    expect((await heardOf({ noticeAgeMs: 27 * 3_600_000 })).read).toEqual([undefined])
    expect((await heardOf({ noticeAgeMs: -400_000 })).read).toEqual([undefined])
    expect((await heardOf({ noticeAgeMs: 24 * 3_600_000 })).read[0]).toBeDefined()
    const { heard, read } = await heardOf()
    expect(read[0]).toBeDefined()
    const text = heard[0]?.body.toString() ?? ''
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

  test('signed by the old and by the new key pass while both are known', async () => {
    const asked = ask()
    const code = await codeOf(asked)
    const { heard: old } = await heardOf()
    sandbox.rotate('alipay')
    sandbox.pay(code)
    const fresh = await inbox.take(1)
    expect(fresh.map(({ head, body }) => provider.readNotice(head, body))).toEqual([undefined])
    const both = new AlipayProvider(settingOf(merchant))
    const read = [...old, ...fresh].map(({ head, body }) => both.readNotice(head, body))
    expect(read).toMatchObject([{ kind: 'payment' }, { payment: { payNo: asked.payNo } }])
    expect(await provider.query(asked.payNo)).toMatchObject({ result: 'unknown' })
    expect(done(await both.query(asked.payNo)).payment.state).toBe('paid')
    provider = both
  })
})

describe('the bill of a day', () => {
  const [day, next] = ['2026-03-01', '2026-03-02']
  test('has every payment and refund with its fee; nothing where nothing was traded', async () => {
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
  test('answers that are slow, refused, gone, unsigned or forged are unknown', async () => {
    const asked = await paid()
    const faulty = [{ busy: true }, { throttle: true }, { vanish: true }, { unsigned: true }, { forgeReply: true }]
    sandbox.behave({ slowMs: 2200 })
    expect(await provider.query(asked.payNo)).toEqual({ result: 'unknown', why: 'no answer in time' })
    for (const faults of faulty) {
      sandbox.behave(faults)
      expect(await provider.query(asked.payNo), JSON.stringify(faults)).toMatchObject({ result: 'unknown' })
      expect(await provider.query(newNo()), JSON.stringify(faults)).toMatchObject({ result: 'unknown' })
    }
  })

  test('a bill that is spoiled or said to be elsewhere is not read', async () => {
    await paid({}, new Date('2026-02-01T12:00:00+08:00'))
    done(await provider.bill('2026-02-01'))
    sandbox.behave({ spoilBills: true })
    expect(await provider.bill('2026-02-01')).toEqual({ result: 'unknown', why: 'the bill cannot be read' })
    sandbox.behave({ billsAt: new URL(inbox.url).origin })
    expect(await provider.bill('2026-02-01')).toEqual({ result: 'unknown', why: 'the address is not on the list' })
    expect(inbox.heard).toEqual([])
  })

  test('a refund that was done while its answer was lost is unknown, and asking tells the truth', async () => {
    const asked = await paid()
    const back = refundAsk(asked, 34n)
    sandbox.behave({ loseReply: true })
    expect(await provider.refund(back)).toMatchObject({ result: 'unknown' })
    sandbox.behave({})
    expect(done(await provider.queryRefund(back)).refunding).toMatchObject({ state: 'success', fen: 34n })
    expect(done(await provider.refund(back)).refunding).toMatchObject({ state: 'success', fen: 34n })
    expect(sandbox.trades.find(({ payNo }) => payNo === asked.payNo)?.refunds).toHaveLength(1)
  })

  test('a wrong key of ours is refused by a signed answer; keys come as PEM or as bare base64', async () => {
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
