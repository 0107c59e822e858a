import type { AlarmEvent, PortReportEvent } from '@wattdeck/device-protocol/message.ts'

/** Sooner than any alarm that is not said again counts as over. */
const againMs = 120_000

type Fault = { event: AlarmEvent; bytes: Uint8Array; toldMs: number }

/**
 * What is wrong with the guns of a pile. Its reports say so as long as it is, every fifteen seconds or five minutes; as
 * alarms it is told when it begins, and again every two minutes, for who is silent counts as well.
 */
export class YkcAlarms {
  readonly #faults = new Map<string, Fault>()

  report({ port, faults = [] }: PortReportEvent, bytes: Uint8Array): void {
    const still = new Set(faults.map(({ raw }) => `${port}:${raw}`))
    for (const [key, { event }] of this.#faults) if (event.port === port && !still.has(key)) this.#faults.delete(key)
    for (const alarm of faults) {
      const key = `${port}:${alarm.raw}`
      const toldMs = this.#faults.get(key)?.toldMs ?? 0
      this.#faults.set(key, { event: { kind: 'alarm', alarm, port }, bytes, toldMs })
    }
  }

  /** What is to be told now, with the frame that said it. */
  due(nowMs: number): { event: AlarmEvent; bytes: Uint8Array }[] {
    const due = [...this.#faults.values()].filter(({ toldMs }) => nowMs - toldMs >= againMs)
    for (const fault of due) fault.toldMs = nowMs
    return due
  }
}
