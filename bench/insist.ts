import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { OpenRefusal } from '@wattdeck/open-client/open-client.ts'

type Reply<T> = { status: number; data: T }

/** Asks until there is an answer, with the same key: whatever died meanwhile, it happens once. Nothing where it is refused. */
export async function insist<T>(ask: (key: string) => Promise<Reply<T>>): Promise<T | undefined> {
  const key = randomBytes(16).toString('hex')
  for (;;) {
    const reply = await ask(key).catch(() => undefined)
    if (reply !== undefined && reply.status < 500) return reply.status === 200 ? reply.data : undefined
    await sleep(100)
  }
}

/** The same of a program that is answered or refused. */
export const insistAsProgram = <T>(ask: (key: string) => Promise<T>): Promise<T | undefined> =>
  insist(async (key) => {
    try {
      return { status: 200, data: await ask(key) }
    } catch (error) {
      if (error instanceof OpenRefusal) return { status: error.status, data: undefined as never }
      throw error
    }
  })
