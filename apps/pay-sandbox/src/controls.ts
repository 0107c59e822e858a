import { createVerify } from 'node:crypto'
import { tellAlipayPayment, tellAlipayRefund } from './alipay-notice.ts'
import type { Plant } from './bills.ts'
import type { Faults } from './faults.ts'
import { newMerchant, type NewMerchant } from './merchants.ts'
import type { ProviderName, Refund, Trade } from './pay-simulator.ts'
import { tellWechatPayment, tellWechatRefund } from './wechat-notice.ts'
import type { SandboxState } from './sandbox-state.ts'

/** What a payer's device got: the text of a code, or what the page hands to the app. */
export type Handle = { codeUrl: string } | { handOver: Record<string, string> }
export type Payer = { payer?: string | undefined; at?: Date | undefined }

/** What people do who are not the merchant: the payer, the provider's own staff, and fate. */
export function controlsOf(sandbox: SandboxState) {
  const tradeOf = (handle: Handle): Trade => {
    const trade = sandbox.simulator.byHandle(handleText(handle))
    if (trade === undefined) throw new Error('no such code')
    if ('handOver' in handle && trade.provider === 'wechat' && !isHandedOver(sandbox, trade, handle.handOver))
      throw new Error('the app refuses: paySign')
    return trade
  }
  return {
    register: (provider: ProviderName, given: Partial<NewMerchant> = {}): NewMerchant => {
      const { privateKey, ...seed } = newMerchant(provider, given)
      sandbox.merchants.add(seed)
      return { ...seed, privateKey }
    },
    behave: (faults: Partial<Faults>, merchantNo?: string) => sandbox.faults.set(faults, merchantNo),
    /** Somebody scans the code or confirms in the app, and pays. */
    pay: (handle: Handle, { payer = 'oSandboxPayer', at }: Payer = {}): Trade => {
      const trade = tradeOf(handle)
      const problem = sandbox.simulator.pay(trade, payer, at)
      if (problem !== undefined) throw new Error(problem)
      const tell = trade.provider === 'wechat' ? tellWechatPayment : tellAlipayPayment
      tell(sandbox, trade)
      return trade
    },
    /** Somebody scans the code and thinks about it. */
    scan: (handle: Handle): Trade => Object.assign(tradeOf(handle), { scanned: true }),
    settleRefund: (refundNo: string, state: Exclude<Refund['state'], 'PROCESSING'>): void => {
      const found = sandbox.simulator.trades.flatMap((trade) =>
        trade.refunds.filter((refund) => refund.refundNo === refundNo).map((refund) => ({ trade, refund })),
      )[0]
      if (found?.refund.state !== 'PROCESSING') throw new Error('no such refund is on its way')
      Object.assign(found.refund, { state, doneAt: new Date() })
      const tell = found.trade.provider === 'wechat' ? tellWechatRefund : tellAlipayRefund
      tell(sandbox, found.trade, found.refund)
    },
    /** The provider signs with a new key from now on. */
    rotate: (provider: ProviderName): void => sandbox.keys.rotate(provider),
    /** PEM by id, all that ever were. */
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

/** The app looks at the signature before it asks for the password. */
function isHandedOver({ merchants }: SandboxState, trade: Trade, handOver: Record<string, string>): boolean {
  const { appId = '', timeStamp = '', nonceStr = '', package: prepared = '', signType, paySign = '' } = handOver
  const merchant = merchants.byNo('wechat', trade.merchantNo)
  if (merchant === undefined || signType !== 'RSA') return false
  const text = [appId, timeStamp, nonceStr, prepared].map((line) => `${line}\n`).join('')
  return createVerify('RSA-SHA256').update(text).verify(merchant.key, paySign, 'base64')
}
