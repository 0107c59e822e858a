import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { openCharging } from '@wattdeck/contract/open/open-charging.ts'
import { chargeLimit, orderStatus } from '@wattdeck/contract/order/order-codes.ts'
import { type OpenClient, OpenRefusal } from '@wattdeck/open-client/open-client.ts'
import type { SimDevice } from './device.ts'
import { gapMs } from './evening.ts'

export type MembersPlan = {
  client: Pick<OpenClient, 'call'>
  memberIds: readonly string[]
  devices: readonly SimDevice[]
  random: () => number
  perSecond: (nowMs: number) => number
  /** Mean duration of a charge; early leavers stay for less. */
  chargeMs: number
  /** Interval at which a member polls the order. */
  watchMs: number
  /** After this wait for the end of an order, the member leaves and complains. */
  patienceMs: number
  /** Number of orders after which no further member arrives. */
  orders?: number | undefined
}

/** Outcomes of the simulated visits. */
export type MembersTally = {
  came: number
  /** No usable port was free, or the platform refused the start. */
  turnedAway: number
  /** Member id by order number. */
  started: Map<string, string>
  /** Duration of each start request until it returned an order number. */
  startMs: number[]
  stopped: number
  unplugged: number
  billed: number
  released: number
  review: number
  /** Members who saw an unexpected result and would contact support. */
  complained: number
}

type Place = { device: SimDevice; portNo: number }
const retryMs = 300
const { charging, billed, released, review } = orderStatus.code
/** Shares of members who stop early, unplug early, or complain. */
const habit = { stop: 0.08, unplug: 0.08, complain: 0.3 }

/**
 * Simulated members. Each arrives by schedule, checks a free port, starts by the open interface and polls the order. A
 * member leaves at its end, early, or by unplugging.
 */
export class Members {
  readonly tally: MembersTally = {
    came: 0,
    turnedAway: 0,
    started: new Map(),
    startMs: [],
    stopped: 0,
    unplugged: 0,
    billed: 0,
    released: 0,
    review: 0,
    complained: 0,
  }
  readonly #plan: MembersPlan
  readonly #free: Place[]
  readonly #idle: string[]
  readonly #visits = new Set<Promise<void>>()
  /** Visits that have no order yet. */
  #coming = 0
  #stopped = false

  constructor(plan: MembersPlan) {
    this.#plan = plan
    this.#idle = [...plan.memberIds]
    this.#free = plan.devices.flatMap((device) =>
      Array.from({ length: device.identity.portCount }, (_, place) => ({ device, portNo: place + 1 })),
    )
  }

  /** Resolves when arrivals have ended and the last member has left. */
  async live(): Promise<void> {
    const { random, perSecond, orders = Number.POSITIVE_INFINITY } = this.#plan
    let nextMs = Date.now()
    while (!this.#stopped) {
      const waitMs = nextMs - Date.now()
      // Pending starts may fail, so it is not yet known whether more arrivals are needed.
      const isEnough = this.tally.started.size + this.#coming >= orders
      if (isEnough && this.#coming === 0) break
      if (isEnough || waitMs > 0) {
        await sleep(isEnough ? 50 : Math.min(1000, waitMs))
        continue
      }
      nextMs += gapMs(perSecond(Date.now()), random)
      this.#arrive()
    }
    await Promise.all(this.#visits)
  }
  stop(): void {
    this.#stopped = true
  }

  #arrive(): void {
    this.tally.came++
    const [memberId, place] = [this.#pick(this.#idle), this.#pick(this.#free)]
    if (memberId === undefined || place === undefined) {
      if (memberId !== undefined) this.#idle.push(memberId)
      if (place !== undefined) this.#free.push(place)
      this.tally.turnedAway++
      return
    }
    this.#coming++
    const visit = this.#visit(memberId, place).finally(() => {
      this.#visits.delete(visit)
      this.#idle.push(memberId)
      this.#free.push(place)
    })
    this.#visits.add(visit)
  }

  /** Removes a random element; the last one moves into its position. */
  #pick<T>(from: T[]): T | undefined {
    const at = Math.floor(this.#plan.random() * from.length)
    const [picked, last] = [from[at], from.pop()]
    if (at < from.length && last !== undefined) from[at] = last
    return picked
  }

  async #visit(memberId: string, place: Place): Promise<void> {
    const orderNo = await this.#start(memberId, place).catch(refused)
    this.#coming--
    if (orderNo === undefined) {
      this.tally.turnedAway++
      return
    }
    await this.#stay(orderNo, place).catch(refused)
    // The port is free only when the device has ended the charge, independent of the order's status.
    while (!this.#stopped && place.device.orderAt(place.portNo) !== undefined) await sleep(this.#plan.watchMs)
  }

  async #start(memberId: string, { device, portNo }: Place): Promise<string | undefined> {
    const { client, random } = this.#plan
    const at = { deviceNo: device.identity.deviceNo, portNo: String(portNo) }
    const port = await this.#persist(() => client.call(openCharging.port, { query: at }))
    if (!port.canStart) return undefined
    const [key, body, beganMs] = [randomUUID(), { memberId, ...at, ...randomLimit(random) }, Date.now()]
    const { orderNo } = await this.#persist(() => client.call(openCharging.start, { body, key }))
    this.tally.startMs.push(Date.now() - beganMs)
    this.tally.started.set(orderNo, memberId)
    return orderNo
  }

  async #stay(orderNo: string, place: Place): Promise<void> {
    const { client, random, chargeMs, watchMs, patienceMs } = this.#plan
    const untilMs = Date.now() + patienceMs
    const mood = random()
    const leaveMs = Date.now() + chargeMs * 0.6 * random()
    let willLeave = mood < habit.stop + habit.unplug
    while (!this.#stopped && Date.now() < untilMs) {
      await sleep(watchMs * (0.8 + 0.4 * random()))
      const { status } = await this.#persist(() => client.call(openCharging.order, { params: { orderNo } }))
      if (status === billed || status === released || status === review) return this.#leave(status)
      if (!willLeave || status !== charging || Date.now() < leaveMs) continue
      willLeave = false
      if (mood < habit.stop) await this.#stopEarly(orderNo)
      else this.#pull(place)
    }
    this.tally.complained++
  }

  async #stopEarly(orderNo: string): Promise<void> {
    const key = randomUUID()
    const { client } = this.#plan
    // The order may have ended meanwhile, or its device may be offline.
    const stopResult = await this.#persist(() => client.call(openCharging.stop, { body: { orderNo }, key })).catch(
      refused,
    )
    if (stopResult !== undefined) this.tally.stopped++
  }
  #pull({ device, portNo }: Place): void {
    if (device.orderAt(portNo) === undefined) return
    device.finish(portNo, Date.now(), 'unplugged')
    this.tally.unplugged++
  }
  #leave(status: typeof billed | typeof released | typeof review): void {
    if (status === billed) this.tally.billed++
    else if (status === released) this.tally.released++
    else this.tally.review++
    if (status !== billed && this.#plan.random() < habit.complain) this.tally.complained++
  }

  /** Retries until there is an answer, with the same idempotency key, so the request takes effect once. */
  async #persist<T>(call: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await call()
      } catch (error) {
        if (error instanceof OpenRefusal && error.status < 500 && error.status !== 429) throw error
        if (this.#stopped) throw new OpenRefusal(503, 'nobody waits for the answer any more')
        await sleep(retryMs * (0.5 + this.#plan.random()))
      }
    }
  }
}

/** A refusal is a valid outcome; other errors propagate. */
function refused(error: unknown): undefined {
  if (!(error instanceof OpenRefusal)) throw error
}

const pickOf = <T>(from: readonly [T, ...T[]], random: () => number): T =>
  from[Math.floor(random() * from.length)] ?? from[0]

/** Draws a charge limit. Amounts and times are small, because the battery ends a charge anyway. */
function randomLimit(random: () => number) {
  const by = random()
  if (by < 0.4)
    return { limitBy: String(chargeLimit.code.money), amount: pickOf(['1.00', '2.00', '3.00', '5.00'], random) }
  if (by < 0.55)
    return { limitBy: String(chargeLimit.code.minutes), minutes: pickOf(['1', '60', '120', '240'], random) }
  if (by < 0.7)
    return { limitBy: String(chargeLimit.code.energy), energyWh: pickOf(['10', '20', '500', '1000'], random) }
  return { limitBy: String(chargeLimit.code.full) }
}
