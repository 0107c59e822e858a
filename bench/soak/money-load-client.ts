import { setTimeout as sleep } from 'node:timers/promises'
import { rechargeStatus } from '@wattdeck/contract/accounting/pay-codes.ts'
import { openRechargeRefund } from '@wattdeck/contract/open/open-recharge-refund.ts'
import { openRecharge } from '@wattdeck/contract/open/open-recharge.ts'
import { rechargeRefund } from '@wattdeck/contract/order/recharge-refund.ts'
import { refundWay } from '@wattdeck/contract/order/refund-codes.ts'
import { refundOrder } from '@wattdeck/contract/order/refund-order.ts'
import type { OpenClient } from '@wattdeck/open-client/open-client.ts'
import type { callerOf } from '../../apps/server/test/harness/client.ts'
import { retryUntilReply, retryAsProgram } from '../fixtures/insist.ts'

export type Moved = { memberId: string; fen: bigint }
type Tools = {
  client: Pick<OpenClient, 'call'>
  call: ReturnType<typeof callerOf>
  random: () => number
  memberIds: readonly string[]
  /** Charges in the order of their requests, with their members. */
  orders: readonly { orderNo: string; memberId: string }[]
  /** A payer scans the code and pays. */
  pay: (codeUrl: string) => void
  tokens: { maker: string; auditor: string; approver: string }
}

const yuan = (fen: number) => (fen / 100).toFixed(2)

/** Recharges and refunds, as people request them and others decide, with the reply to each. */
export class LoadClient {
  readonly recharges: (Moved & { rechargeNo: string })[] = []
  /** Approved refunds by their number. */
  readonly rechargeRefunds = new Map<string, Moved>()
  readonly orderRefunds = new Map<string, Moved & { toWallet: boolean }>()
  readonly #payers: Promise<void>[] = []
  readonly #ending = new AbortController()
  readonly #tools: Tools
  constructor(tools: Tools) {
    this.#tools = tools
  }

  /** Returns the number of accepted movements; the payment is a separate one, made by the payer. */
  async recharge(): Promise<number> {
    const { client, random, memberIds } = this.#tools
    const memberId = memberIds[Math.floor(random() * memberIds.length)] ?? ''
    const fen = 100 + Math.floor(random() * 4900)
    const body = { memberId, amount: yuan(fen), provider: random() < 0.7 ? '1' : '2', way: '1' } as const
    const recharge = await retryAsProgram((key) => client.call(openRecharge.add, { body, key }))
    if (recharge === undefined) return 0
    this.recharges.push({ rechargeNo: recharge.rechargeNo, memberId, fen: BigInt(fen) })
    const roll = random()
    // One payer in ten abandons the payment.
    if (roll < 0.9) this.#payers.push(this.#look(recharge.rechargeNo, roll < 0.15))
    return 1
  }

  /** Resolves when every payer has paid or found the recharge closed. */
  async end(): Promise<void> {
    this.#ending.abort()
    await Promise.all(this.#payers)
  }

  /** Waits for the code and scans it; with `cancels` the recharge is cancelled at the same time. */
  async #look(rechargeNo: string, cancels: boolean): Promise<void> {
    const { client, random, pay } = this.#tools
    const { signal } = this.#ending
    // Hundreds of payers wait while the provider fails. They back off, or their polling would be most of the work.
    for (let waitMs = 1000; ; waitMs = Math.min(waitMs * 2, 15_000)) {
      await (signal.aborted ? sleep(500) : sleep(waitMs, undefined, { signal }).catch(() => undefined))
      const recharge = await client.call(openRecharge.read, { query: { rechargeNo } }).catch(() => undefined)
      if (recharge === undefined) continue
      if (recharge.status !== rechargeStatus.code.waiting) return
      if (recharge.codeUrl === null) continue
      const cancelled = cancels
        ? retryAsProgram((key) => client.call(openRecharge.cancel, { body: { rechargeNo }, key }))
        : undefined
      await sleep(random() * 300)
      pay(recharge.codeUrl)
      await cancelled
      return
    }
  }

  async refundRecharge(): Promise<number> {
    const { client, call, random, tokens } = this.#tools
    const recharge = this.#any(this.recharges)
    if (recharge === undefined) return 0
    const { rechargeNo, memberId } = recharge
    const fen = 1 + Math.floor(random() * Number(recharge.fen))
    const body = { memberId, rechargeNo, amount: yuan(fen), reason: '不再使用' }
    const refund = await retryAsProgram((key) => client.call(openRechargeRefund.add, { body, key }))
    if (refund === undefined) return 0
    const step = { body: { id: refund.refundNo } }
    const headers = (key: string) => ({ 'idempotency-key': key })
    await retryUntilReply((key) => call(tokens.auditor, rechargeRefund.audit, { ...step, headers: headers(key) }))
    await retryUntilReply((key) => call(tokens.approver, rechargeRefund.approve, { ...step, headers: headers(key) }))
    this.rechargeRefunds.set(refund.refundNo, { memberId, fen: BigInt(fen) })
    return 3
  }

  async refundOrder(): Promise<number> {
    const { call, random, orders, tokens } = this.#tools
    const order = this.#any(orders)
    if (order === undefined) return 0
    const { orderNo, memberId } = order
    const fen = 1 + Math.floor(random() * 40)
    const toWallet = random() < 0.5
    const way = toWallet ? refundWay.code.wallet : refundWay.code.origin
    const body = { orderNo, amount: yuan(fen), way, reason: '设备故障' } as never
    const headers = (key: string) => ({ 'idempotency-key': key })
    const refund = await retryUntilReply((key) => call(tokens.maker, refundOrder.add, { body, headers: headers(key) }))
    if (refund === undefined) return 0
    const { id } = refund
    await retryUntilReply((key) => call(tokens.approver, refundOrder.approve, { body: { id }, headers: headers(key) }))
    this.orderRefunds.set(id, { memberId, fen: BigInt(fen), toWallet })
    return 2
  }

  /** Excludes the last ones, most of which are not paid or billed yet. */
  #any<T>(all: readonly T[]): T | undefined {
    return all[Math.floor(this.#tools.random() * (all.length - Math.min(50, all.length / 2)))]
  }
}
