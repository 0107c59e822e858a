import { createVerify } from 'node:crypto'
import { notifyAlipayPayment, notifyAlipayRefund } from './alipay-notice.ts'
import type { Plant } from './bills.ts'
import type { Faults } from './faults.ts'
import { newMerchant, type NewMerchant } from './merchants.ts'
import type { ProviderName, Refund, Trade } from './pay-simulator.ts'
import { notifyWechatPayment, notifyWechatRefund } from './wechat-notice.ts'
import type { SandboxState } from './sandbox-state.ts'

/** What the payer's device received: the text of a code, or the parameters the page passes to the app. */
export type Handle = { codeUrl: string } | { handOver: Record<string, string> }
export type Payer = { payer?: string | undefined; at?: Date | undefined }

/** Actions outside the merchant's API: of the payer, of the provider, and of the network. */
export function controlsOf(sandbox: SandboxState) {
  const tradeOf = (handle: Handle): Trade => {
    const trade = sandbox.simulator.byHandle(handleText(handle))
    if (trade === undefined) throw new Error('unknown payment code')
    if ('handOver' in handle && trade.provider === 'wechat' && !isHandedOver(sandbox, trade, handle.handOver))
      throw new Error('the app rejects paySign')
    return trade
  }
  return {
    register: (provider: ProviderName, overrides: Partial<NewMerchant> = {}): NewMerchant => {
      const { privateKey, ...seed } = newMerchant(provider, overrides)
      sandbox.merchants.add(seed)
      return { ...seed, privateKey }
    },
    behave: (faults: Partial<Faults>, merchantNo?: string) => sandbox.faults.set(faults, merchantNo),
    /** The payer scans the code or confirms in the app, and pays. */
    pay: (handle: Handle, { payer = 'oSandboxPayer', at }: Payer = {}): Trade => {
      const trade = tradeOf(handle)
      const problem = sandbox.simulator.pay(trade, payer, at)
      if (problem !== undefined) throw new Error(problem)
      const notify = trade.provider === 'wechat' ? notifyWechatPayment : notifyAlipayPayment
      notify(sandbox, trade)
      return trade
    },
    /** The payer scans the code without paying. */
    scan: (handle: Handle): Trade => Object.assign(tradeOf(handle), { scanned: true }),
    settleRefund: (refundNo: string, state: Exclude<Refund['state'], 'PROCESSING'>): void => {
      const match = sandbox.simulator.trades.flatMap((trade) =>
        trade.refunds.filter((refund) => refund.refundNo === refundNo).map((refund) => ({ trade, refund })),
      )[0]
      if (match?.refund.state !== 'PROCESSING') throw new Error('no such refund is in progress')
      Object.assign(match.refund, { state, doneAt: new Date() })
      const notify = match.trade.provider === 'wechat' ? notifyWechatRefund : notifyAlipayRefund
      notify(sandbox, match.trade, match.refund)
    },
    rotate: (provider: ProviderName): void => sandbox.keys.rotate(provider),
    /** All keys ever used, PEM by id. */
    publicKeys: (provider: ProviderName) => sandbox.keys.publicKeys(provider),
    plant: (merchantNo: string, plant: Plant): void => sandbox.bills.plant(merchantNo, plant),
    clearPlants: (merchantNo: string): void => sandbox.bills.clear(merchantNo),
  }
}
export type Controls = ReturnType<typeof controlsOf>

const handleText = (handle: Handle) =>
  'codeUrl' in handle
    ? handle.codeUrl
    : (handle.handOver['tradeNO'] ?? (handle.handOver['package'] ?? '').replace('prepay_id=', ''))

/** The app verifies the signature before it asks for the password. */
function isHandedOver({ merchants }: SandboxState, trade: Trade, handOver: Record<string, string>): boolean {
  const { appId = '', timeStamp = '', nonceStr = '', package: prepared = '', signType, paySign = '' } = handOver
  const merchant = merchants.byNo('wechat', trade.merchantNo)
  if (merchant === undefined || signType !== 'RSA') return false
  const text = [appId, timeStamp, nonceStr, prepared].map((line) => `${line}\n`).join('')
  return createVerify('RSA-SHA256').update(text).verify(merchant.key, paySign, 'base64')
}
