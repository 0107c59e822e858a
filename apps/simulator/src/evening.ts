/**
 * How many of a hundred that come in a day come in each hour, from midnight: people charge when they come home, and
 * before they leave.
 */
const ofHundred = [2, 1, 1, 1, 1, 2, 4, 5, 4, 3, 3, 4, 4, 3, 3, 3, 4, 7, 10, 11, 10, 7, 4, 3] as const
const hourMs = 3_600_000

/** When the days of a place begin, how much faster than real ones they go by, and which of their hours there are. */
export type Days = { perDay: number; startedMs: number; speed: number; fromHour: number; toHour: number }

/** How many come in a second, just now. What is outside the hours is left out: after the last comes the first again. */
export function arrivalsPerSecond({ perDay, startedMs, speed, fromHour, toHour }: Days, nowMs: number): number {
  const passed = (((nowMs - startedMs) * speed) / hourMs) % (toHour - fromHour)
  const hour = Math.floor(fromHour + passed) % 24
  return (((ofHundred[hour] ?? 0) / 100) * perDay * speed * 1000) / hourMs
}

/** Until the next comes, if they come independently of each other. */
export const gapMs = (perSecond: number, random: () => number): number =>
  (-Math.log(1 - random()) / Math.max(perSecond, 1e-6)) * 1000
