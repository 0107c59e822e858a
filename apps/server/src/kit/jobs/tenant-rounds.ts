import type { Logger } from 'pino'

const firstRestMs = 2000
const longestRestMs = 300_000

/** Runs work for one organisation after the other. A failure is logged, backs that organisation off and stops no other. */
export class TenantRounds {
  readonly #log: Logger
  readonly #message: string
  readonly #resting = new Map<string, { untilMs: number; failures: number }>()
  constructor(log: Logger, message: string) {
    this.#log = log
    this.#message = message
  }

  /** Organisations in backoff after a failure. */
  resting(): string[] {
    const nowMs = Date.now()
    return [...this.#resting].filter(([, { untilMs }]) => untilMs > nowMs).map(([organiseId]) => organiseId)
  }

  /** Each consecutive failure doubles the backoff. */
  async run(organiseIds: Iterable<string>, work: (organiseId: string) => Promise<void>): Promise<void> {
    for (const organiseId of organiseIds) {
      try {
        await work(organiseId)
        this.#resting.delete(organiseId)
      } catch (error) {
        const failures = (this.#resting.get(organiseId)?.failures ?? 0) + 1
        const restMs = Math.min(longestRestMs, firstRestMs * 2 ** (failures - 1))
        this.#resting.set(organiseId, { untilMs: Date.now() + restMs, failures })
        this.#log.error({ err: error, organiseId, failures, restMs }, this.#message)
      }
    }
  }
}
