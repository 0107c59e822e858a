import type { DeviceEvent } from '@wattdeck/device-protocol/message.ts'

type StoredRecord = { event: DeviceEvent; copies: number; sentMs: number; times: number }
/** Returns whether the device is connected. */
type Send = (key: string, event: DeviceEvent, copies: number) => boolean

/** Records that a device keeps until the platform acknowledges them. */
export class Records {
  readonly #send: Send
  readonly #unacked = new Map<string, StoredRecord>()

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
  /** Returns a function that resends the records waiting now, without records that are added before it runs. */
  waiting(): (nowMs: number) => void {
    const waiting = [...this.#unacked]
    return (nowMs) => {
      for (const [key, record] of waiting) this.#sendOne(key, record, nowMs)
    }
  }

  #sendOne(key: string, record: StoredRecord, nowMs: number): void {
    record.sentMs = nowMs
    if (this.#send(key, record.event, record.copies)) record.times += 1
  }
}
