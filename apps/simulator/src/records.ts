import type { DeviceEvent } from '@wattdeck/device-protocol/message.ts'

type Kept = { event: DeviceEvent; copies: number; sentMs: number; times: number }
/** Whether there is a line. */
type Send = (key: string, event: DeviceEvent, copies: number) => boolean

/** What a device keeps in its memory until the platform has it. */
export class Records {
  readonly #send: Send
  readonly #unacked = new Map<string, Kept>()

  constructor(send: Send) {
    this.#send = send
  }

  get size(): number {
    return this.#unacked.size
  }
  keep(key: string, event: DeviceEvent, nowMs: number, copies = 1): void {
    const record = { event, copies, sentMs: 0, times: 0 }
    this.#unacked.set(key, record)
    this.#sendOne(key, record, nowMs)
  }
  acked(key: string): void {
    this.#unacked.delete(key)
  }
  resend(nowMs: number, waitMs: (times: number) => number): void {
    for (const [key, record] of this.#unacked)
      if (nowMs - record.sentMs >= waitMs(record.times)) this.#sendOne(key, record, nowMs)
  }
  /** Sends what waits now, and nothing that is kept between this call and that. */
  waiting(): (nowMs: number) => void {
    const waiting = [...this.#unacked]
    return (nowMs) => {
      for (const [key, record] of waiting) this.#sendOne(key, record, nowMs)
    }
  }

  #sendOne(key: string, record: Kept, nowMs: number): void {
    record.sentMs = nowMs
    if (this.#send(key, record.event, record.copies)) record.times += 1
  }
}
