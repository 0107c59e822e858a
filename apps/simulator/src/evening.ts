/**
 * Percentage of the day's arrivals in each hour, from midnight: most members charge in the evening, and some before
 * they leave in the morning.
 */
const ofHundred = [2, 1, 1, 1, 1, 2, 4, 5, 4, 3, 3, 4, 4, 3, 3, 3, 4, 7, 10, 11, 10, 7, 4, 3] as const
const hourMs = 3_600_000

/** Arrival schedule: start time, speed-up factor, and the hours of the day that are played. */
export type Days = { perDay: number; startedMs: number; speed: number; fromHour: number; toHour: number }

/** Current arrivals per second. Hours outside the range are skipped: the last hour is followed by the first. */
export function arrivalsPerSecond({ perDay, startedMs, speed, fromHour, toHour }: Days, nowMs: number): number {
  const passed = (((nowMs - startedMs) * speed) / hourMs) % (toHour - fromHour)
  const hour = Math.floor(fromHour + passed) % 24
  return (((ofHundred[hour] ?? 0) / 100) * perDay * speed * 1000) / hourMs
}

/** Time to the next arrival of a Poisson process. */
export const gapMs = (perSecond: number, random: () => number): number =>
  (-Math.log(1 - random()) / Math.max(perSecond, 1e-6)) * 1000
