import { orderStatus, type ReviewReason, startMode } from '@wattdeck/contract/order/order-codes.ts'
import { stopReason } from '@wattdeck/device-protocol/stop-reason.ts'
import type { Bill } from '@wattdeck/domain/tariff/bill.ts'
import type { RequestedLimit } from '@wattdeck/domain/tariff/limit.ts'
import { price } from '@wattdeck/domain/tariff/price.ts'
import { orderTime } from '../../apps/server/src/core/charging/order-time.ts'
import { type Charged, minuteMs } from './demo-charge.ts'
import type { Member, Port } from './demo-order-fixture.ts'
import type { PostingContext, Reservation } from './demo-wallets.ts'

/** A demo order in its final state. */
export type Order = {
  id: string
  startMs: number
  port: Port
  memberId: string | null
  mode: number
  status: number
  limit: RequestedLimit
  /** The reserved amount at the start, and the part that is still reserved or was at the end. */
  wantedFen: bigint
  held: Reservation
  paid: Reservation
  stop: string | null
  charged?: Pick<Charged, 'usage'> | undefined
  /** The final report of the device. */
  said?: Reported | undefined
  bill?: Bill | undefined
  reasons?: ReviewReason[] | undefined
  decided?: { by: string; why: string } | undefined
  settledMs: number | null
}
type Reported = {
  kind: 'settlement'
  port: number
  orderNo: string
  durationS: number
  energyWh: number
  maxPowerDw: number
  stopReason: object
}
export type Params = {
  id: string
  no: number
  startMs: number
  port: Port
  member: Member
  limit: RequestedLimit
  wantedFen: bigint
}
export type Begun = Params & { held: Reservation }

const nothing: Reservation = { paidFen: 0n, giftFen: 0n }
const { charging, billed, released, review } = orderStatus.code
const deciders: Record<string, string> = { 2: '张伟', 3: '唐静', 4: '马骏', 5: '黄嘉敏' }

/** Posts the reservation. */
export function begin(params: Params): Begun {
  const { startMs, port, member, wantedFen } = params
  member.wallet.fill(wantedFen, port.place, startMs - 2 * minuteMs)
  return { ...params, held: member.wallet.hold(asPosted(params, startMs), wantedFen) }
}

const baseOrder = ({ id, startMs, port, member, limit, wantedFen, held, no }: Begun) => ({
  id,
  startMs,
  port,
  memberId: member.id,
  mode: no % 6 === 5 ? startMode.code.remote : startMode.code.scan,
  limit,
  wantedFen,
  held,
  paid: nothing,
})
const asPosted = ({ id, port }: Params, atMs: number, decided?: Order['decided']): PostingContext => ({
  id,
  keyAt: orderTime(id),
  place: port.place,
  atMs,
  decided,
})
const dialect = ({ adapter }: Port) => (adapter === 'dny' ? 'dny' : 'mqttJson')

function reportOf({ id, port }: Pick<Params, 'id' | 'port'>, { usage, energyWh, stop }: Charged): Reported {
  const { durationS, peakPowerDw: maxPowerDw } = usage
  const reason = stopReason.say(dialect(port), stop)
  return { kind: 'settlement', port: port.portNo, orderNo: id, durationS, energyWh, maxPowerDw, stopReason: reason }
}

/** The time limit of a device to begin. */
const confirmMs = 90_000
const notStarted = ['unplugged', 'notConfirmed', 'noAnswer', 'unplugged', 'portFault']

/** The charge never began: releases the whole reservation. */
export function releaseUnstarted(begun: Begun): Order {
  const stop = notStarted[begun.no % notStarted.length] ?? 'unplugged'
  const settledMs = begun.startMs + (stop === 'notConfirmed' ? confirmMs : stop === 'noAnswer' ? 15_000 : 1800)
  begun.member.wallet.release(asPosted(begun, settledMs), begun.held)
  return { ...baseOrder(begun), held: nothing, status: released, stop, settledMs }
}

export function bill(begun: Begun, charged: Charged): Order {
  const { port, held, member } = begun
  const priced = price(port.rules, charged.usage, { heldFen: held.paidFen + held.giftFen })
  const settledMs = charged.usage.endMs + 1500
  const paid = member.wallet.pay(asPosted(begun, settledMs), held, priced)
  const report = reportOf(begun, charged)
  return {
    ...baseOrder(begun),
    status: billed,
    charged,
    said: report,
    bill: priced,
    paid,
    stop: charged.stop,
    settledMs,
  }
}

/** A person ended it by the last report, because no bill came. */
export function billByForce(begun: Begun, { usage }: Charged): Order {
  const lastReport = lastReportOf(usage)
  const { port, held, member } = begun
  const decided = { by: deciders[port.place.organiseId] ?? '周启明', why: '设备离线后未恢复，按最后一次上报结算' }
  const priced = price(port.rules, lastReport, { heldFen: held.paidFen + held.giftFen })
  const settledMs = lastReport.endMs + 150 * minuteMs
  const paid = member.wallet.pay(asPosted(begun, settledMs, decided), held, priced)
  return {
    ...baseOrder(begun),
    status: billed,
    charged: { usage: lastReport },
    bill: priced,
    paid,
    decided,
    stop: null,
    settledMs,
  }
}

const lastReportOf = (usage: Charged['usage']): Charged['usage'] => {
  const last = usage.samples?.at(-1)
  if (last === undefined) return { ...usage, energyDwh: 0 }
  const durationS = Math.round((last.atMs - usage.startMs) / 1000)
  return { ...usage, endMs: last.atMs, durationS, energyDwh: last.energyDwh }
}

/** A charge in progress. */
export const chargingOrder = (begun: Begun, usage: Charged['usage']): Order => ({
  ...baseOrder(begun),
  status: charging,
  charged: { usage },
  stop: null,
  settledMs: null,
})

export const doubts = ['tooMuchEnergy', 'backwards', 'noBill', 'late'] as const

/** The bill is implausible, late or missing: the order waits for a review. */
export function reviewOrder(begun: Begun, charged: Charged, reason: (typeof doubts)[number]): Order {
  const { usage, energyWh } = charged
  const report = reportOf(begun, charged)
  const order = { ...baseOrder(begun), status: review, stop: charged.stop, settledMs: null, reasons: [reason] }
  if (reason === 'noBill') return { ...order, stop: null, charged: { usage: lastReportOf(usage) } }
  if (reason !== 'late') {
    const most = (begun.port.ratedW * usage.durationS) / 3600
    const misread = reason === 'backwards' ? Math.floor(energyWh * 0.06) * 10 : Math.ceil(most * 1.5) + 100
    const wrong = { ...usage, energyDwh: misread * 10 }
    return { ...order, said: { ...report, energyWh: misread }, charged: { usage: wrong } }
  }
  begun.member.wallet.release(asPosted(begun, begun.startMs + confirmMs), begun.held)
  return { ...order, held: nothing, said: report, charged: { usage: { ...usage, samples: [] } } }
}

/** A charge without a request and a payer: the device started it while offline. */
export function unassignedOrder(params: Pick<Params, 'id' | 'startMs' | 'port'>, charged: Charged): Order {
  return {
    ...params,
    memberId: null,
    mode: startMode.code.offline,
    status: review,
    limit: { by: 'full' },
    wantedFen: 0n,
    held: nothing,
    paid: nothing,
    stop: charged.stop,
    said: reportOf(params, charged),
    charged: { usage: { ...charged.usage, samples: [] } },
    reasons: ['unknownOrder', 'noPayer'],
    settledMs: null,
  }
}
