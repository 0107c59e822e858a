import { setTimeout as sleep } from 'node:timers/promises'
import type { Faults } from '../apps/pay-sandbox/src/faults.ts'
import type { startPaySandbox } from '../apps/pay-sandbox/src/sandbox.ts'

export type Sandbox = Awaited<ReturnType<typeof startPaySandbox>>

/** A provider has good moments and others. */
const weather: Partial<Faults>[] = [
  {},
  {},
  {},
  { slowMs: 400 },
  { slowMs: 9000 },
  { busy: true },
  { throttle: true },
  { vanish: true },
  { loseReply: true },
  { unsigned: true },
  { forgeReply: true },
  { holdRefunds: true },
  { loseNotices: true },
  { noticeCopies: 4 },
  { noticeDelayMs: 1500, noticeCopies: 2 },
  { reorderNotices: true },
  { forgeNotices: true },
  { noticeFenDelta: 100 },
]

/** The provider while everything is killed: its moods, and the money that people give it. */
export class Outside {
  paid = 0
  readonly moods = new Set<string>()
  readonly #sandbox: Sandbox
  readonly #random: () => number
  #over = false
  readonly #going: Promise<void>

  constructor(sandbox: Sandbox, random: () => number) {
    this.#sandbox = sandbox
    this.#random = random
    this.#going = this.#changeMoods()
  }

  /** Somebody scans a code; it may be closed by now. */
  pay(codeUrl: string): void {
    try {
      this.#sandbox.pay({ codeUrl })
      this.paid++
    } catch (error) {
      if (!(error instanceof Error && error.message === 'closed')) throw error
    }
  }

  /** A good day again, and what was held up is let through. */
  async calm(): Promise<void> {
    this.#over = true
    await this.#going
    this.#sandbox.behave({})
    this.#letRefundsThrough()
  }

  async #changeMoods(): Promise<void> {
    while (!this.#over) {
      const mood = weather[Math.floor(this.#random() * weather.length)] ?? {}
      this.moods.add(JSON.stringify(mood))
      this.#sandbox.behave(mood)
      await sleep(300 + this.#random() * 1200)
      this.#letRefundsThrough()
    }
  }

  #letRefundsThrough(): void {
    for (const { refunds } of this.#sandbox.trades)
      for (const { refundNo, state } of refunds)
        if (state === 'PROCESSING') this.#sandbox.settleRefund(refundNo, 'SUCCESS')
  }
}
