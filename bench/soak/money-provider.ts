import { setTimeout as sleep } from 'node:timers/promises'
import type { Faults } from '../../apps/pay-sandbox/src/faults.ts'
import type { startPaySandbox } from '../../apps/pay-sandbox/src/sandbox.ts'

export type Sandbox = Awaited<ReturnType<typeof startPaySandbox>>

/** Fault profiles of the provider. It also works properly for a sixth of the run. */
const faultProfiles: Partial<Faults>[] = [
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
const healthy: Partial<Faults>[] = [{}, {}, {}]
/** Every profile occurs once in this many operations. */
const operationsPerCycle = 2000
/** A profile that stops all operations ends by itself. */
const longestProfileMs = 15_000

/** Operations of the whole run, and those that the clients have finished. Payments are counted here. */
type Progress = { planned: number; accepted: () => number }

/** The payment provider during the run: its fault profiles, and the payments that payers make. */
export class ProviderSimulation {
  paid = 0
  /** Fault profiles under which no operation was accepted yet. */
  readonly unmet = new Set(faultProfiles)
  readonly #sandbox: Sandbox
  readonly #random: () => number
  readonly #progress: Progress
  #isOver = false
  readonly #running: Promise<void>

  constructor(sandbox: Sandbox, random: () => number, progress: Progress) {
    this.#sandbox = sandbox
    this.#random = random
    this.#progress = progress
    this.#running = this.#cycleProfiles()
  }

  /** A payer scans a code. The payment may be closed by then. */
  pay(codeUrl: string): void {
    try {
      this.#sandbox.pay({ codeUrl })
      this.paid++
    } catch (error) {
      if (!(error instanceof Error && error.message === 'closed')) throw error
    }
  }

  /** Ends all faults and settles the refunds that were delayed. */
  async calm(): Promise<void> {
    this.#isOver = true
    await this.#running
    this.#sandbox.behave({})
    this.#letRefundsThrough()
  }

  /** The profiles share the operations evenly, so each occurs whatever the speed of the machine. */
  async #cycleProfiles(): Promise<void> {
    const { planned, accepted } = this.#progress
    const done = () => accepted() + this.paid
    const turns = (faultProfiles.length + healthy.length) * Math.max(1, Math.round(planned / operationsPerCycle))
    // A few operations end together, so a turn is a little shorter than its share.
    const share = planned / turns / 1.2
    for (let queue: Partial<Faults>[] = []; !this.#isOver;) {
      if (queue.length === 0) queue = this.#shuffle([...faultProfiles, ...healthy])
      const profile = queue.pop() ?? {}
      this.#sandbox.behave(profile)
      const [before, endMs] = [done(), Date.now() + longestProfileMs]
      while (!this.#isOver && done() < before + share && Date.now() < endMs) await sleep(20)
      if (done() > before) this.unmet.delete(profile)
      this.#letRefundsThrough()
    }
  }

  #shuffle<T>(items: T[]): T[] {
    return items
      .map((item) => ({ item, at: this.#random() }))
      .toSorted((one, other) => one.at - other.at)
      .map(({ item }) => item)
  }

  #letRefundsThrough(): void {
    for (const { refunds } of this.#sandbox.trades)
      for (const { refundNo, state } of refunds)
        if (state === 'PROCESSING') this.#sandbox.settleRefund(refundNo, 'SUCCESS')
  }
}
