import { type RequestedLimit, deviceLimit, reservationFor } from '@wattdeck/domain/tariff/limit.ts'
import { minReservationFen } from '@wattdeck/domain/tariff/rules.ts'
import { batteryOf, charge, type Charged, courseOf, minuteMs, usageAfter } from './demo-charge.ts'
import * as ends from './demo-order-ends.ts'
import { type Member, orderId, pick, type Port, startTimes, type DemoFixture } from './demo-order-fixture.ts'

/** Plans the demo orders: member, port, time, duration and outcome. Repeatable within the same day. */
export type Brand = {
  organise: number
  perDay: number
  open: number
  /** One in this many recent bills is sent to review. */
  doubtOneOf?: number
}

export function planOrders(fixture: DemoFixture, brands: readonly Brand[], fromMs: number): ends.Order[] {
  return brands.flatMap((brand) => {
    const own = {
      ...fixture,
      ports: fixture.ports.filter(({ place }) => place.organiseId === String(brand.organise)),
      members: fixture.members.filter(({ organiseId }) => organiseId === String(brand.organise)),
    }
    const times = startTimes(fixture.random, brand.perDay, fromMs, fixture.nowMs)
    const past = new Past(own, brand)
    const orders = times.flatMap((startMs) => past.add(startMs) ?? [])
    return [...orders, ...planOpen(own, brand)]
  })
}

/** The limit that a person chooses: mostly one of the presets, else a full battery. */
function limitOf({ rules }: Port, { random }: DemoFixture): RequestedLimit {
  const offer = random() < 0.75 ? pick(random, rules.presets) : undefined
  if (offer === undefined) return { by: 'full' }
  if (offer.by === 'money') return { by: 'money', fen: offer.value }
  return offer.by === 'minutes' ? { by: 'minutes', minutes: offer.value } : { by: 'energy', energyDwh: offer.value }
}

/** A charge to a full battery reserves the member's balance, up to the highest possible cost. */
function paramsOf(no: number, startMs: number, port: Port, member: Member, limit: RequestedLimit): ends.Params {
  const needed = reservationFor(port.rules, limit, { startMs, ratedW: port.ratedW })
  const usual = BigInt(Math.max(minReservationFen(port.rules), 800))
  const { totalFen } = member.wallet
  const has = totalFen > usual ? totalFen : usual
  const wantedFen = limit.by === 'full' && has < needed ? has : needed
  return { id: orderId(startMs, no), no, startMs, port, member, limit, wantedFen }
}

const dayMs = 1440 * minuteMs
/** Orders go to review when older than a day; every review is decided after six days. */
const [oldMs, reviewMs] = [dayMs, 6 * dayMs]

/** Finished orders, created in chronological order, so that no member and no port charges twice at once. */
class Past {
  readonly #fixture: DemoFixture
  #no: number
  readonly #doubtOneOf: number
  /** The number of recent orders that may go to review, and of those that did. */
  #young = 0
  #doubts = 0
  constructor(fixture: DemoFixture, { organise, doubtOneOf = 6 }: Brand) {
    this.#fixture = fixture
    this.#no = organise * 10_000
    this.#doubtOneOf = doubtOneOf
  }

  add(startMs: number): ends.Order | undefined {
    const { random, members, nowMs } = this.#fixture
    const member = pick(
      random,
      members.filter(({ busyMs }) => busyMs < startMs),
    )
    const port = member && this.#portFor(member, startMs)
    if (member === undefined || port === undefined) return undefined
    const no = this.#no++
    const params = paramsOf(no, startMs, port, member, limitOf(port, this.#fixture))
    const charged = this.#charge(params)
    // A port that is working now was free before that charge began.
    const freeMs = port.working ? port.sinceMs : nowMs
    if (charged.usage.endMs + 2 * minuteMs > freeMs) return undefined
    port.busyMs = charged.usage.endMs + 5 * minuteMs
    const order = this.#endOf(params, charged, nowMs)
    member.busyMs = Math.max(charged.usage.endMs, order.settledMs ?? 0) + 20 * minuteMs
    return order
  }

  /** Mostly at the member's own site. */
  #portFor({ siteId }: Member, startMs: number): Port | undefined {
    const { random, ports } = this.#fixture
    const free = ports.filter(({ busyMs }) => busyMs < startMs)
    const near = free.filter(({ place }) => place.siteId === siteId)
    return pick(random, near.length > 0 && random() < 0.7 ? near : free)
  }

  #charge({ port, limit, wantedFen: heldFen, startMs }: ends.Params): Charged {
    const { random } = this.#fixture
    const { rules, ratedW } = port
    const deviceTarget = deviceLimit(rules, limit, heldFen, { startMs, ratedW })
    return charge({ course: courseOf(batteryOf(random), random), rules, limit: deviceTarget, heldFen, startMs, random })
  }

  #endOf(params: ends.Params, charged: Charged, nowMs: number): ends.Order {
    const { no, startMs } = params
    const hasReports = (charged.usage.samples?.length ?? 0) > 6
    if (no % 29 === 11) return ends.releaseUnstarted(ends.begin(params))
    const ageMs = nowMs - startMs
    if (!hasReports || ageMs < oldMs) return ends.bill(ends.begin(params), charged)
    if (no % 83 === 40) return ends.billByForce(ends.begin(params), charged)
    if (ageMs > reviewMs || this.#young++ % this.#doubtOneOf !== 1) return ends.bill(ends.begin(params), charged)
    const reason = [...ends.doubts, undefined][this.#doubts++ % (ends.doubts.length + 1)]
    if (reason !== undefined) return ends.reviewOrder(ends.begin(params), charged, reason)
    const { id, port } = params
    return ends.unassignedOrder({ id, startMs, port }, charged)
  }
}

/** At working ports of online devices: one at each, since the port began. */
function planOpen(fixture: DemoFixture, { organise, open }: Brand): ends.Order[] {
  const { random, nowMs, ports, members } = fixture
  const working = ports.filter(
    ({ working: works, online, sinceMs, busyMs }) =>
      works && online && sinceMs < nowMs - 12 * minuteMs && busyMs < sinceMs,
  )
  const apart = [...new Map(working.map((port) => [port.deviceId, port])).values()]
  return apart.slice(0, open).flatMap((port, place) => {
    const member = members.find(({ busyMs }) => busyMs < port.sinceMs)
    if (member === undefined) return []
    member.busyMs = Number.POSITIVE_INFINITY
    const params = paramsOf(organise * 10_000 + 9000 + place, port.sinceMs, port, member, { by: 'full' })
    const watts = 120 + random() * 180
    const minutes = Math.floor((nowMs - port.sinceMs) / minuteMs)
    // Far from full.
    const course = courseOf({ watts, needWh: watts * 12 }, random)
    return [ends.chargingOrder(ends.begin(params), usageAfter(course, port.sinceMs, minutes))]
  })
}
