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
  /** How long a charge takes, about: whoever leaves early leaves before that. */
  chargeMs: number
  /** How often they look at their order. */
  watchMs: number
  /** Whoever has waited so long for an order to end goes home and complains. */
  patienceMs: number
  /** After so many orders nobody comes any more. */
  orders?: number | undefined
}

/** What became of those who came. */
export type MembersTally = {
  came: number
  /** No port was free or none could be used, or the platform said no. */
  turnedAway: number
  /** Order numbers, and whose they are. */
  started: Map<string, string>
  /** How long each start took, until its order had a number. */
  startMs: number[]
  stopped: number
  unplugged: number
  billed: number
  released: number
  review: number
  /** Found that it did not go as it should, and would have told somebody. */
  complained: number
}

type Place = { device: SimDevice; portNo: number }
const retryMs = 300
const { charging, billed, released, review } = orderStatus.code
/** How many leave early by stopping it themselves, or by pulling the plug, and how many complain. */
const habit = { stop: 0.08, unplug: 0.08, complain: 0.3 }

/**
 * People: they come when people come, look at a free port, start by the open interface, watch their order, and leave:
 * when it is over, or early, or by pulling the plug.
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
  /** Those who have come and have no order yet. */
  #coming = 0
  #stopped = false

  constructor(plan: MembersPlan) {
    this.#plan = plan
    this.#idle = [...plan.memberIds]
    this.#free = plan.devices.flatMap((device) =>
      Array.from({ length: device.identity.portCount }, (_, place) => ({ device, portNo: place + 1 })),
    )
  }

  /** Until nobody comes any more and the last has left. */
  async live(): Promise<void> {
    const { random, perSecond, orders = Number.POSITIVE_INFINITY } = this.#plan
    let nextMs = Date.now()
    while (!this.#stopped) {
      const waitMs = nextMs - Date.now()
      // While the last are at the door it is not known whether more are wanted.
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

  /** Any of them; the last takes its place. */
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
    // Whatever the platform thinks of it: who comes next needs a port where nobody's plug is.
    while (!this.#stopped && place.device.orderAt(place.portNo) !== undefined) await sleep(this.#plan.watchMs)
  }

  async #start(memberId: string, { device, portNo }: Place): Promise<string | undefined> {
    const { client, random } = this.#plan
    const at = { deviceNo: device.identity.deviceNo, portNo: String(portNo) }
    const port = await this.#persist(() => client.call(openCharging.port, { query: at }))
    if (!port.canStart) return undefined
    const [key, body, beganMs] = [randomUUID(), { memberId, ...at, ...wish(random) }, Date.now()]
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
    // It may have ended by itself meanwhile, or its device may be away.
    const told = await this.#persist(() => client.call(openCharging.stop, { body: { orderNo }, key })).catch(refused)
    if (told !== undefined) this.tally.stopped++
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

  /** Asks until there is an answer, with the same key: whatever happened meanwhile, it is done once. */
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

/** No is an answer. */
function refused(error: unknown): undefined {
  if (!(error instanceof OpenRefusal)) throw error
}

const pickOf = <T>(from: readonly [T, ...T[]], random: () => number): T =>
  from[Math.floor(random() * from.length)] ?? from[0]

/** What people ask for. Small sums and short times: a charge ends with the battery anyhow. */
function wish(random: () => number) {
  const by = random()
  if (by < 0.4)
    return { limitBy: String(chargeLimit.code.money), amount: pickOf(['1.00', '2.00', '3.00', '5.00'], random) }
  if (by < 0.55)
    return { limitBy: String(chargeLimit.code.minutes), minutes: pickOf(['1', '60', '120', '240'], random) }
  if (by < 0.7)
    return { limitBy: String(chargeLimit.code.energy), energyWh: pickOf(['10', '20', '500', '1000'], random) }
  return { limitBy: String(chargeLimit.code.full) }
}
