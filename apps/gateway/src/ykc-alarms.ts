import type { AlarmEvent, PortReportEvent } from '@wattdeck/device-protocol/message.ts'

/** Repeat interval, shorter than the silence after which the platform closes an alarm. */
const againMs = 120_000

type Fault = { event: AlarmEvent; bytes: Uint8Array; raisedMs: number }

/**
 * Turns the fault bits of a pile's reports into alarms. Reports repeat every 15 seconds or five minutes; an alarm is
 * raised when the fault starts and every two minutes while it lasts.
 */
export class YkcAlarms {
  readonly #faults = new Map<string, Fault>()

  report({ port, faults = [] }: PortReportEvent, bytes: Uint8Array): void {
    const still = new Set(faults.map(({ raw }) => `${port}:${raw}`))
    for (const [key, { event }] of this.#faults) if (event.port === port && !still.has(key)) this.#faults.delete(key)
    for (const alarm of faults) {
      const key = `${port}:${alarm.raw}`
      const raisedMs = this.#faults.get(key)?.raisedMs ?? 0
      this.#faults.set(key, { event: { kind: 'alarm', alarm, port }, bytes, raisedMs })
    }
  }

  /** Returns the alarms due now, with the frame that reported each. */
  due(nowMs: number): { event: AlarmEvent; bytes: Uint8Array }[] {
    const due = [...this.#faults.values()].filter(({ raisedMs }) => nowMs - raisedMs >= againMs)
    for (const fault of due) fault.raisedMs = nowMs
    return due
  }
}
