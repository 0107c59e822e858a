import { orderStatus, type ReviewReason, startMode } from '@wattdeck/contract/order/order-codes.ts'
import { stopReason } from '@wattdeck/device-protocol/stop-reason.ts'
import type { Bill } from '@wattdeck/domain/tariff/bill.ts'
import type { AskedLimit } from '@wattdeck/domain/tariff/limit.ts'
import { price } from '@wattdeck/domain/tariff/price.ts'
import { orderTime } from '../../apps/server/src/core/charging/order-time.ts'
import { type Charged, minuteMs } from './demo-charge.ts'
import type { Member, Port } from './demo-order-fixture.ts'
import type { Booked, Held } from './demo-wallets.ts'

/** An order of the demo as it stands in the end. */
export type Order = {
  id: string
  startMs: number
  port: Port
  memberId: string | null
  mode: number
  status: number
  limit: AskedLimit
  /** What was put aside at the start, and what of it still is or was when it ended. */
  wantedFen: bigint
  held: Held
  paid: Held
  stop: string | null
  charged?: Pick<Charged, 'usage'> | undefined
  /** What the device said at the end. */
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
  limit: AskedLimit
  wantedFen: bigint
}
export type Begun = Params & { held: Held }

const nothing: Held = { paidFen: 0n, giftFen: 0n }
const { charging, billed, released, review } = orderStatus.code
const deciders: Record<string, string> = { 2: '张伟', 3: '唐静', 4: '马骏', 5: '黄嘉敏' }

/** Books the money that is put aside. */
export function begin(wish: Params): Begun {
  const { startMs, port, member, wantedFen } = wish
  member.wallet.fill(wantedFen, port.place, startMs - 2 * minuteMs)
  return { ...wish, held: member.wallet.hold(asPosted(wish, startMs), wantedFen) }
}

const asked = ({ id, startMs, port, member, limit, wantedFen, held, no }: Begun) => ({
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
const asPosted = ({ id, port }: Params, atMs: number, decided?: Order['decided']): Booked => ({
  id,
  keyAt: orderTime(id),
  place: port.place,
  atMs,
  decided,
})
const dialect = ({ adapter }: Port) => (adapter === 'dny' ? 'dny' : 'mqttJson')

function saidOf({ id, port }: Pick<Params, 'id' | 'port'>, { usage, energyWh, stop }: Charged): Reported {
  const { durationS, peakPowerDw: maxPowerDw } = usage
  const reason = stopReason.say(dialect(port), stop)
  return { kind: 'settlement', port: port.portNo, orderNo: id, durationS, energyWh, maxPowerDw, stopReason: reason }
}

/** A device has this long to begin. */
const confirmMs = 90_000
const notStarted = ['unplugged', 'notConfirmed', 'noAnswer', 'unplugged', 'portFault']

/** It never began: all goes back. */
export function giveBack(begun: Begun): Order {
  const stop = notStarted[begun.no % notStarted.length] ?? 'unplugged'
  const settledMs = begun.startMs + (stop === 'notConfirmed' ? confirmMs : stop === 'noAnswer' ? 15_000 : 1800)
  begun.member.wallet.release(asPosted(begun, settledMs), begun.held)
  return { ...asked(begun), held: nothing, status: released, stop, settledMs }
}

export function bill(begun: Begun, charged: Charged): Order {
  const { port, held, member } = begun
  const made = price(port.rules, charged.usage, { heldFen: held.paidFen + held.giftFen })
  const settledMs = charged.usage.endMs + 1500
  const paid = member.wallet.pay(asPosted(begun, settledMs), held, made)
  const said = saidOf(begun, charged)
  return { ...asked(begun), status: billed, charged, said, bill: made, paid, stop: charged.stop, settledMs }
}

/** No bill ever came, and a person has ended it by what was last heard. */
export function billByForce(begun: Begun, { usage }: Charged): Order {
  const heard = lastHeard(usage)
  const { port, held, member } = begun
  const decided = { by: deciders[port.place.organiseId] ?? '周启明', why: '设备离线后未恢复，按最后一次上报结算' }
  const made = price(port.rules, heard, { heldFen: held.paidFen + held.giftFen })
  const settledMs = heard.endMs + 150 * minuteMs
  const paid = member.wallet.pay(asPosted(begun, settledMs, decided), held, made)
  return {
    ...asked(begun),
    status: billed,
    charged: { usage: heard },
    bill: made,
    paid,
    decided,
    stop: null,
    settledMs,
  }
}

const lastHeard = (usage: Charged['usage']): Charged['usage'] => {
  const last = usage.samples?.at(-1)
  if (last === undefined) return { ...usage, energyDwh: 0 }
  const durationS = Math.round((last.atMs - usage.startMs) / 1000)
  return { ...usage, endMs: last.atMs, durationS, energyDwh: last.energyDwh }
}

/** It charges now. */
export const goOn = (begun: Begun, usage: Charged['usage']): Order => ({
  ...asked(begun),
  status: charging,
  charged: { usage },
  stop: null,
  settledMs: null,
})

export const doubts = ['tooMuchEnergy', 'backwards', 'noBill', 'late'] as const

/** What the device said cannot be, came too late, or came never: it waits for a person. */
export function doubt(begun: Begun, charged: Charged, reason: (typeof doubts)[number]): Order {
  const { usage, energyWh } = charged
  const said = saidOf(begun, charged)
  const order = { ...asked(begun), status: review, stop: charged.stop, settledMs: null, reasons: [reason] }
  if (reason === 'noBill') return { ...order, stop: null, charged: { usage: lastHeard(usage) } }
  if (reason !== 'late') {
    const most = (begun.port.ratedW * usage.durationS) / 3600
    const misread = reason === 'backwards' ? Math.floor(energyWh * 0.06) * 10 : Math.ceil(most * 1.5) + 100
    const wrong = { ...usage, energyDwh: misread * 10 }
    return { ...order, said: { ...said, energyWh: misread }, charged: { usage: wrong } }
  }
  begun.member.wallet.release(asPosted(begun, begun.startMs + confirmMs), begun.held)
  return { ...order, held: nothing, said, charged: { usage: { ...usage, samples: [] } } }
}

/** A charge that nobody asked for and nobody pays: the device began while it had no network. */
export function adopt(wish: Pick<Params, 'id' | 'startMs' | 'port'>, charged: Charged): Order {
  return {
    ...wish,
    memberId: null,
    mode: startMode.code.offline,
    status: review,
    limit: { by: 'full' },
    wantedFen: 0n,
    held: nothing,
    paid: nothing,
    stop: charged.stop,
    said: saidOf(wish, charged),
    charged: { usage: { ...charged.usage, samples: [] } },
    reasons: ['unknownOrder', 'noPayer'],
    settledMs: null,
  }
}
