import type { Faults } from './faults.ts'

type Envelope = { headers: Record<string, string>; body: string }
export type SentNotice = { url: string; body: string; headers: Record<string, string>; status: number | undefined }
type Waiting = { url: string; make: () => Envelope; accepted: (status: number, body: string) => boolean }

const patienceMs = 5000

/** Sends notices to merchants with retries, subject to the configured faults. */
export class Notices {
  /** All sent notices, with the status of each response. */
  readonly sent: SentNotice[] = []
  readonly #reordered: Waiting[] = []
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #retryMs: readonly number[]

  constructor(retryMs: readonly number[]) {
    this.#retryMs = retryMs
  }

  enqueue(notice: Waiting, faults: Faults): void {
    if (faults.loseNotices) return
    if (faults.reorderNotices) {
      this.#reordered.push(notice)
      if (this.#reordered.length < 2) return
      for (const each of this.#reordered.splice(0).toReversed()) this.#send(each, faults)
      return
    }
    this.#send(notice, faults)
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer)
  }

  #send(notice: Waiting, { noticeCopies, noticeDelayMs }: Faults): void {
    for (let copy = 0; copy < noticeCopies; copy++) this.#later(noticeDelayMs, () => this.#try(notice, 0))
  }

  #later(ms: number, act: () => Promise<void>): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      void act()
    }, ms)
    this.#timers.add(timer.unref())
  }

  async #try(notice: Waiting, tries: number): Promise<void> {
    const { headers, body } = notice.make()
    const record: SentNotice = { url: notice.url, body, headers, status: undefined }
    this.sent.push(record)
    if (await deliver(notice, { headers, body }, record)) return
    const wait = this.#retryMs[tries]
    if (wait !== undefined) this.#later(wait, () => this.#try(notice, tries + 1))
  }
}

async function deliver({ url, accepted }: Waiting, { headers, body }: Envelope, record: SentNotice): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(patienceMs)
    const reply = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
    record.status = reply.status
    return accepted(reply.status, await reply.text())
  } catch {
    return false
  }
}
