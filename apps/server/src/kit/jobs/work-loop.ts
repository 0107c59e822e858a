import type pg from 'pg'
import { connectAlone } from '../db/db.ts'
import { type ErrorLog, runJob } from './job-metrics.ts'
import { watchLoop } from '../ops/loop-watch.ts'

type Setting = {
  /** Where PostgreSQL is, for a connection that only listens. */
  url: string
  /** What the database notifies when there is work. */
  channel: 'charge_news' | 'device_command' | 'pay_work'
  /** How long until it is looked for in any case: a notification may get lost. */
  pollMs: number
  /** One round; whether the next may follow at once. */
  round: () => Promise<boolean>
  log: ErrorLog
}

/** Works whenever the database says that there is something to do, and now and then without being told. */
export function startWorkLoop({ url, channel, pollMs, round, log }: Setting) {
  let stopped = false
  let woken = false
  let resume: () => void = () => undefined
  let listener: pg.Client | undefined
  const watched = watchLoop(channel)

  /** Also for what comes while a round is under way: the next follows at once. */
  const wake = () => {
    woken = true
    resume()
  }

  async function listen(): Promise<void> {
    if (listener !== undefined) return
    const client = await connectAlone(url, (gone) => {
      if (listener === gone) listener = undefined
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
