/** How processes compare their clocks over the bus. */
const clean = (prefix: string) => prefix.replaceAll(/\W/g, '_')

export const clockBus = {
  /** A worker answers with the time of the database. */
  ask: (prefix: string) => `${prefix}.clock.ask`,
  /** A message that NATS stores, for its time. */
  tick: (prefix: string, from: 'worker' | 'gateway') => `${prefix}.clock.tick.${from}`,
  stream: (prefix: string) => `${clean(prefix)}_clock`,
  config: (prefix: string) => ({
    name: `${clean(prefix)}_clock`,
    subjects: [`${prefix}.clock.tick.*`],
    storage: 'memory' as const,
    max_age: 60 * 1e9,
    max_bytes: 1024 * 1024,
  }),
}
/** Milliseconds since 1970. */
export type ClockAnswer = { ms: number }

/** Clocks may differ by this much, and by what the question itself took. */
const limitS = 5

/** How far the own clock is ahead of another, and how far this may be wrong: the other was read somewhere in between. */
export type Measured = { differenceS: number; uncertainS: number }

export async function measureClock(readMs: () => Promise<number>): Promise<Measured> {
  const sentMs = Date.now()
  const otherMs = await readMs()
  const receivedMs = Date.now()
  return {
    differenceS: ((sentMs + receivedMs) / 2 - otherMs) / 1000,
    uncertainS: Math.max(0, receivedMs - sentMs) / 2000,
  }
}

export const isClockOff = ({ differenceS, uncertainS }: Measured): boolean =>
  Math.abs(differenceS) > limitS + uncertainS

/**
 * Of three clocks the one that differs from two which agree is wrong. `doubtful`: it differs from the only other one that
 * is known, or all three differ. A process that agrees with one of two others is right, and the third is not.
 */
export type ClockVerdict = 'right' | 'doubtful' | 'wrong'

export function judgeClock(nats: Measured | undefined, database: Measured | undefined): ClockVerdict {
  const known = [nats, database].filter((one) => one !== undefined)
  if (!known.every(isClockOff) || known.length === 0) return 'right'
  const [one, other] = known
  if (one === undefined || other === undefined) return 'doubtful'
  const differenceS = one.differenceS - other.differenceS
  return isClockOff({ differenceS, uncertainS: one.uncertainS + other.uncertainS }) ? 'doubtful' : 'wrong'
}
