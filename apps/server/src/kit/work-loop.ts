import pg from 'pg'

type Setting = {
  /** Where PostgreSQL is, for a connection that only listens. */
  url: string
  /** What the database notifies when there is work. */
  channel: 'charge_news' | 'device_command' | 'pay_work'
  /** How long until it is looked for in any case: a notification may get lost. */
  pollMs: number
  /** One round; whether the next may follow at once. */
  round: () => Promise<boolean>
  onError: (error: unknown) => void
}

/** Works whenever the database says that there is something to do, and now and then without being told. */
export function startWorkLoop({ url, channel, pollMs, round, onError }: Setting) {
  let stopped = false
  let woken = false
  let resume: () => void = () => undefined
  let listener: pg.Client | undefined

  /** Also for what comes while a round is under way: the next follows at once. */
  const wake = () => {
    woken = true
    resume()
  }

  async function listen(): Promise<void> {
    if (listener !== undefined) return
    const client = new pg.Client({ connectionString: url })
    const gone = () => {
      if (listener === client) listener = undefined
    }
    client.on('error', gone).on('end', gone).on('notification', wake)
    await client.connect()
    await client.query(`listen ${channel}`)
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
      const more = await listen()
        .then(round)
        .catch((error: unknown) => {
          onError(error)
          return false
        })
      if (!more && !(woken as boolean)) await pause()
    }
  })()

  return {
    wake,
    stop: async () => {
      stopped = true
      wake()
      await running
      await listener?.end()
    },
  }
}
