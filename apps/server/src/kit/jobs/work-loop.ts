import type pg from 'pg'
import { connectAlone } from '../db/db.ts'
import { type ErrorLog, runJob } from './job-metrics.ts'
import { watchLoop } from '../ops/loop-watch.ts'

type Setting = {
  /** URL of PostgreSQL, for a connection that only listens. */
  url: string
  /** The channel on which the database notifies of new work. */
  channel: 'charge_news' | 'device_command' | 'pay_work'
  /** Interval of polling, because a notification may get lost. */
  pollMs: number
  /** One round. Resolves to true when the next may follow at once. */
  round: () => Promise<boolean>
  log: ErrorLog
}

/** Runs a round on each notification of the database, and periodically without one. */
export function startWorkLoop({ url, channel, pollMs, round, log }: Setting) {
  let stopped = false
  let woken = false
  let resume: () => void = () => undefined
  let listener: pg.Client | undefined
  const watched = watchLoop(channel)

  /** Also wakes the loop for a notification during a round; the next round then follows at once. */
  const wake = () => {
    woken = true
    resume()
  }

  async function listen(): Promise<void> {
    if (listener !== undefined) return
    const client = await connectAlone(url, (endedClient) => {
      if (listener === endedClient) listener = undefined
    })
    client.on('notification', wake)
    await client.query(`listen ${channel}`).catch((error: unknown) => {
      void client.end()
      throw error
    })
    listener = client
  }

  const pause = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pollMs)
      resume = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  const running = (async () => {
    while (!stopped) {
      woken = false
      watched.turn()
      const more = await runJob(log, channel, () => listen().then(round)).catch(() => false)
      if (!more && !(woken as boolean)) await pause()
    }
  })()

  return {
    wake,
    stop: async () => {
      stopped = true
      wake()
      await running
      watched.end()
      await listener?.end()
    },
  }
}
