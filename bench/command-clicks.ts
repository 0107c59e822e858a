import { setTimeout as sleep } from 'node:timers/promises'
import { type AnyRoute, type DataOf } from '@wattdeck/contract/kit/route.ts'
import {
  commandStatus,
  deviceCommand,
  deviceOperation,
  whenOffline,
} from '@wattdeck/contract/product/device-command.ts'
import type { SimDevice } from '../apps/simulator/src/device.ts'

export type Call = <R extends AnyRoute>(token: string, route: R, input?: object) => Promise<{ data: DataOf<R> }>
/** Milliseconds; `lost` are those that did not arrive within ten seconds. */
export type Times = { clicks: number; p50: number; p99: number; max: number; lost: number }

const patienceMs = 10_000
const atOnceMs = 500

/** One person who clicks, one device after the other. */
export class Clicks {
  readonly #call: Call
  readonly #token: string
  readonly #ids: ReadonlyMap<string, string>

  constructor(call: Call, token: string, ids: ReadonlyMap<string, string>) {
    this.#call = call
    this.#token = token
    this.#ids = ids
  }

  /** From the click until the command is at the device, which must be on a line. Goes on while it is wanted. */
  async arrive(devices: readonly SimDevice[], most: number, wanted: () => boolean = () => true): Promise<Times> {
    const times: number[] = []
    const step = Math.max(1, Math.floor(devices.length / most))
    for (let place = 0; place < devices.length && times.length < most && wanted(); place += step) {
      const device = devices[place]
      if (device?.up !== true) continue
      const heard = new Promise<number>((resolve) => device.onceTold(() => resolve(performance.now())))
      const clicked = performance.now()
      await this.#click(device.identity.deviceNo)
      const at = await Promise.race([heard, sleep(patienceMs, Number.POSITIVE_INFINITY)])
      times.push(at - clicked)
    }
    return summary(times)
  }

  /** From the click until the person is told that the device is away. */
  async answerAway(deviceNos: readonly string[]): Promise<Times & { atOnce: number }> {
    const times: number[] = []
    for (const deviceNo of deviceNos) {
      const clicked = performance.now()
      const { commandId } = await this.#click(deviceNo)
      times.push((await this.#told(commandId)) - clicked)
    }
    return { ...summary(times), atOnce: times.filter((ms) => ms <= atOnceMs).length }
  }

  async #click(deviceNo: string): Promise<{ commandId: string }> {
    const { data } = await this.#call(this.#token, deviceCommand.operate, {
      body: {
        deviceId: this.#ids.get(deviceNo) ?? '',
        operation: deviceOperation.code.query,
        whenOffline: whenOffline.code.fail,
      },
    })
    return data
  }

  async #told(id: string): Promise<number> {
    const untilMs = performance.now() + patienceMs
    while (performance.now() < untilMs) {
      const { data } = await this.#call(this.#token, deviceCommand.read, { params: { id } })
      if (data.status === commandStatus.code.failed) return performance.now()
      await sleep(5)
    }
    return Number.POSITIVE_INFINITY
  }
}

function summary(times: readonly number[]): Times {
  const arrived = times.filter(Number.isFinite).toSorted((one, other) => one - other)
  const lost = times.length - arrived.length
  // One that was lost is slower than all others: where a share falls among them there is no figure.
  const at = (share: number) => Math.round(arrived[Math.ceil(times.length * share) - 1] ?? Number.NaN)
  return { clicks: times.length, p50: at(0.5), p99: at(0.99), max: Math.round(arrived.at(-1) ?? Number.NaN), lost }
}
