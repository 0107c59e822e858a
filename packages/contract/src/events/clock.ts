/** Subjects and rules by which processes compare their clocks over NATS. */
const clean = (prefix: string) => prefix.replaceAll(/\W/g, '_')

export const clockBus = {
  /** A worker replies with the time of the database. */
  ask: (prefix: string) => `${prefix}.clock.ask`,
  /** A message stored by NATS, for its timestamp. */
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
/** Unix time in milliseconds. */
export type ClockAnswer = { ms: number }

/** Clocks may differ by this much, plus the duration of the request. */
const limitS = 5

/**
 * How far the local clock is ahead of another, and the uncertainty: the other clock was read at some time in between.
 */
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
 * Two clocks that agree outvote a third, which is wrong. `doubtful`: the local clock differs from the only other known
 * clock, or all three differ. A process that agrees with one of two other clocks is right.
 */
export type ClockVerdict = 'right' | 'doubtful' | 'wrong'

export function judgeClock(nats: Measured | undefined, database: Measured | undefined): ClockVerdict {
  const clocks = [nats, database].filter((one) => one !== undefined)
  if (!clocks.every(isClockOff) || clocks.length === 0) return 'right'
  const [one, other] = clocks
  if (one === undefined || other === undefined) return 'doubtful'
  const differenceS = one.differenceS - other.differenceS
  return isClockOff({ differenceS, uncertainS: one.uncertainS + other.uncertainS }) ? 'doubtful' : 'wrong'
}
