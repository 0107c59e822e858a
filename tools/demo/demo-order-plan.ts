import { type AskedLimit, deviceLimit, heldFor } from '@wattdeck/domain/tariff/limit.ts'
import { leastHeldFen } from '@wattdeck/domain/tariff/rules.ts'
import { batteryOf, charge, type Charged, courseOf, minuteMs, usageAfter } from './demo-charge.ts'
import * as ends from './demo-order-ends.ts'
import { type Member, orderId, pick, type Port, startTimes, type DemoFixture } from './demo-order-fixture.ts'

/** Who charges where and when, for how long, and what becomes of it. The same at every run, but for the day it is. */
export type Brand = {
  organise: number
  perDay: number
  open: number
  /** One of so many young bills is doubted. */
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

/** What somebody chooses: mostly one of the offers, else a full battery. */
function limitOf({ rules }: Port, { random }: DemoFixture): AskedLimit {
  const offer = random() < 0.75 ? pick(random, rules.presets) : undefined
  if (offer === undefined) return { by: 'full' }
  if (offer.by === 'money') return { by: 'money', fen: offer.value }
  return offer.by === 'minutes' ? { by: 'minutes', minutes: offer.value } : { by: 'energy', energyDwh: offer.value }
}

/** Whoever wants a full battery puts in what they have, up to what it can cost. */
function wishOf(no: number, startMs: number, port: Port, member: Member, limit: AskedLimit): ends.Params {
  const needed = heldFor(port.rules, limit, { startMs, ratedW: port.ratedW })
  const usual = BigInt(Math.max(leastHeldFen(port.rules), 800))
  const { totalFen } = member.wallet
  const has = totalFen > usual ? totalFen : usual
  const wantedFen = limit.by === 'full' && has < needed ? has : needed
  return { id: orderId(startMs, no), no, startMs, port, member, limit, wantedFen }
}

const dayMs = 1440 * minuteMs
/** A person ends or doubts what is a day old; doubts are not left lying about for longer than some. */
const [oldMs, reviewMs] = [dayMs, 6 * dayMs]

/** Orders that are over, made in the order of time, so that nobody and no port charges twice at once. */
class Past {
  readonly #fixture: DemoFixture
  #no: number
  readonly #doubtOneOf: number
  /** How many there were that might be doubted, and how many were. */
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
    const wish = wishOf(no, startMs, port, member, limitOf(port, this.#fixture))
    const charged = this.#charge(wish)
    // A port that works now was free when it began to.
    const freeMs = port.working ? port.sinceMs : nowMs
    if (charged.usage.endMs + 2 * minuteMs > freeMs) return undefined
    port.busyMs = charged.usage.endMs + 5 * minuteMs
    const order = this.#endOf(wish, charged, nowMs)
    member.busyMs = Math.max(charged.usage.endMs, order.settledMs ?? 0) + 20 * minuteMs
    return order
  }

  /** Mostly at home. */
  #portFor({ siteId }: Member, startMs: number): Port | undefined {
    const { random, ports } = this.#fixture
    const free = ports.filter(({ busyMs }) => busyMs < startMs)
    const near = free.filter(({ place }) => place.siteId === siteId)
    return pick(random, near.length > 0 && random() < 0.7 ? near : free)
  }

  #charge({ port, limit, wantedFen: heldFen, startMs }: ends.Params): Charged {
    const { random } = this.#fixture
    const { rules, ratedW } = port
    const told = deviceLimit(rules, limit, heldFen, { startMs, ratedW })
    return charge({ course: courseOf(batteryOf(random), random), rules, limit: told, heldFen, startMs, random })
  }

  #endOf(wish: ends.Params, charged: Charged, nowMs: number): ends.Order {
    const { no, startMs } = wish
    const wasHeard = (charged.usage.samples?.length ?? 0) > 6
    if (no % 29 === 11) return ends.giveBack(ends.begin(wish))
    const ageMs = nowMs - startMs
    if (!wasHeard || ageMs < oldMs) return ends.bill(ends.begin(wish), charged)
    if (no % 83 === 40) return ends.billByForce(ends.begin(wish), charged)
    if (ageMs > reviewMs || this.#young++ % this.#doubtOneOf !== 1) return ends.bill(ends.begin(wish), charged)
    const reason = [...ends.doubts, undefined][this.#doubts++ % (ends.doubts.length + 1)]
    if (reason !== undefined) return ends.doubt(ends.begin(wish), charged, reason)
    const { id, port } = wish
    return ends.adopt({ id, startMs, port }, charged)
  }
}

/** At ports that work now, of devices that can be heard: one at each, since the port began. */
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
    const wish = wishOf(organise * 10_000 + 9000 + place, port.sinceMs, port, member, { by: 'full' })
    const watts = 120 + random() * 180
    const minutes = Math.floor((nowMs - port.sinceMs) / minuteMs)
    // Far from full yet.
    const course = courseOf({ watts, needWh: watts * 12 }, random)
    return [ends.goOn(ends.begin(wish), usageAfter(course, port.sinceMs, minutes))]
  })
}
