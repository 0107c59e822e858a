import { payPurpose } from '@wattdeck/contract/accounting/pay-codes.ts'
import { breakKind, reconPair, repairAction } from '@wattdeck/contract/accounting/recon-codes.ts'
import type { Db } from '../../../kit/db/db.ts'
import type { Line, Posting } from '../../../core/ledger/ledger.ts'
import { payNo, payTime, refundNo } from '../../../core/payments/pay-numbers.ts'
import * as facts from './repair-facts.store.ts'
import { billLines, differenceLines, opposite, receivedFen, type Split } from './repair.rules.ts'

type Break = facts.BreakRow
/** The posting of a repair, without the fields that come from the request. */
export type Booking = Pick<Posting, 'kind' | 'lines'> & Partial<Pick<Posting, 'key' | 'keyAt' | 'ref' | 'place'>>
export type Plan = { booking: Booking; problem?: undefined } | { problem: string; booking?: undefined }

const { missing, extra, amount, late, duplicate, refund, fee, unbooked, orphan } = breakKind.code
const { correct } = repairAction.code
const nothing: Plan = { problem: '该差异无需入账，只能说明' }
const correction = (lines: readonly Line[]): Plan =>
  lines.length === 0 ? { problem: '账务中没有可更正的记录' } : { booking: { kind: 'correction', lines } }

/**
 * Plans the posting of an action. It depends on the stored records alone, so the approver confirms exactly what the
 * requester saw.
 */
export function planRepair(db: Db, row: Break, action: number): Promise<Plan> {
  if (action !== correct) return Promise.resolve(writeOff(row))
  if (row.pair === reconPair.code.channel) return planChannel(db, row)
  return row.pair === reconPair.code.ledger ? planLedger(db, row) : Promise.resolve(nothing)
}

/** The credited payment was never received: the organisation bears the loss, and the member keeps the credit. */
function writeOff(row: Break): Plan {
  const fits = row.pair === reconPair.code.channel && row.kind === missing && row.provider !== null
  if (!fits || row.provider === null) return { problem: '仅短款可由机构承担' }
  return correction(receivedFen(row.provider, -BigInt(row.oursFen ?? '0')))
}

async function planChannel(db: Db, row: Break): Promise<Plan> {
  const { provider, kind } = row
  if (provider === null || kind === late) return nothing
  const [ours, theirs] = [BigInt(row.oursFen ?? '0'), BigInt(row.theirsFen ?? '0')]
  // A refund has the opposite sign: the provider paid the amount out.
  const sign = row.payRefundId !== null || row.subject.startsWith('R') ? -1n : 1n
  if (kind === missing) return correction(opposite(await facts.linesOfPayment(db, row.organiseId, row.subject)))
  if (kind === fee) return correction(differenceLines(provider, 'channelFee', theirs - ours))
  if (kind === extra) return row.payOrderId === null ? correction(receivedFen(provider, theirs)) : askFirst
  if (kind === refund) return planRefund(row, provider, ours, theirs)
  return kind === amount || kind === duplicate ? correction(receivedFen(provider, sign * (theirs - ours))) : nothing
}

const askFirst: Plan = { problem: '请先查单：渠道确认后将自动入账或退回' }

function planRefund(row: Break, provider: number, ours: bigint, theirs: bigint): Plan {
  // The bill does not contain the refund, so the money is still at the provider.
  if (row.theirsFen === null) return correction(receivedFen(provider, ours))
  return row.payRefundId === null ? correction(receivedFen(provider, -theirs)) : askFirst
}

async function planLedger(db: Db, row: Break): Promise<Plan> {
  const { kind, organiseId, postingId } = row
  if ((kind === duplicate || kind === orphan) && postingId !== null)
    return correction(opposite(await facts.linesOfPosting(db, organiseId, postingId)))
  if (kind === refund)
    return row.payRefundId === null && postingId !== null
      ? correction(opposite(await facts.linesOfPosting(db, organiseId, postingId)))
      : bookRefund(db, row)
  if (row.orderId !== null) return planOrder(db, row, row.orderId)
  if (row.payOrderId === null) return nothing
  const pay = await facts.payFacts(db, row.payOrderId)
  if (pay === undefined) return nothing
  const [ours, theirs] = [BigInt(row.oursFen ?? '0'), BigInt(row.theirsFen ?? '0')]
  if (kind === amount)
    return correction(receivedFen(pay.provider, (row.payRefundId === null ? 1n : -1n) * (ours - theirs)))
  return kind === unbooked ? bookPayment(organiseId, pay) : nothing
}

/** Posts the payment as at its arrival, with the same idempotency key, so that it cannot be posted twice. */
function bookPayment(organiseId: string, pay: facts.PayFacts): Plan {
  const fen = BigInt(pay.amountFen)
  const place = { organiseId, agentId: pay.agentId, siteId: pay.siteId }
  const common = { kind: 'recharge', keyAt: payTime(pay.id), ref: payNo(pay.id), place } as const
  const from: Line = { account: 'channel', owner: String(pay.provider), fen: -fen }
  if (pay.late || pay.purpose === payPurpose.code.test) {
    const to: Line = { account: 'refundDue', owner: String(pay.provider), fen }
    return { booking: { ...common, key: `pay/${pay.id}/aside`, lines: [from, to] } }
  }
  if (pay.purpose !== payPurpose.code.recharge || pay.memberId === null)
    return { problem: '该业务的入账须由其所属功能补记' }
  return {
    booking: {
      ...common,
      key: `pay/${pay.id}/paid`,
      lines: [from, { account: 'memberPaid', owner: pay.memberId, fen }],
    },
  }
}

async function bookRefund(db: Db, row: Break): Promise<Plan> {
  const back = row.payRefundId === null ? undefined : await facts.refundFacts(db, row.payRefundId)
  if (back === undefined) return nothing
  const [owner, fen] = [String(back.provider), BigInt(back.amountFen)]
  return {
    booking: {
      key: `pay/${back.payOrderId}/back/${back.id}`,
      keyAt: payTime(back.id),
      place: { organiseId: row.organiseId, agentId: back.agentId, siteId: back.siteId },
      kind: 'refund',
      ref: refundNo(back.id),
      lines: [
        { account: 'refundDue', owner, fen: -fen },
        { account: 'channel', owner, fen },
      ],
    },
  }
}

async function planOrder(db: Db, row: Break, orderId: string): Promise<Plan> {
  const order = await facts.orderFacts(db, orderId)
  if (order?.siteId === undefined || order.siteId === null || order.memberId === null) return nothing
  const owner = order.siteId
  const income: Line[] = [
    { account: 'siteElectricity', owner, fen: BigInt(order.electricityFen) },
    { account: 'siteService', owner, fen: BigInt(order.serviceFen) },
    { account: 'siteOccupancy', owner, fen: BigInt(order.occupancyFen) },
  ]
  if (row.kind === amount) {
    const booked = await facts.incomeOf(db, row.organiseId, orderId)
    return correction(balanced([...income, ...opposite(booked)]))
  }
  if (row.kind !== unbooked) return nothing
  const split: Split = {
    paid: BigInt(order.paidFen),
    gift: BigInt(order.giftFen),
    heldPaid: BigInt(order.heldPaidFen),
    heldGift: BigInt(order.heldGiftFen),
  }
  return {
    booking: {
      key: `order/${orderId}/bill`,
      keyAt: payTime(orderId),
      place: { organiseId: row.organiseId, agentId: order.agentId, siteId: order.siteId },
      kind: 'bill',
      ref: orderId,
      lines: [...billLines(order.memberId, split), ...income],
    },
  }
}

/** Sums the lines by account and balances them against the account of corrections. */
function balanced(lines: readonly Line[]): Line[] {
  const sums = Map.groupBy(lines, ({ account, owner }) => `${account}/${owner}`)
  const nonZero = [...sums.values()].flatMap((some) => {
    const fen = some.reduce((sum, line) => sum + line.fen, 0n)
    return fen === 0n || some[0] === undefined ? [] : [{ ...some[0], fen }]
  })
  const rest = nonZero.reduce((sum, { fen }) => sum + fen, 0n)
  return [...nonZero, { account: 'adjustment', owner: '0', fen: -rest } as const].filter(({ fen }) => fen !== 0n)
}
