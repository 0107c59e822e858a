import type { Wire } from '../bytes.ts'

/** Piles use China's time. */
const offsetS = 8 * 3600
const size = 7

/**
 * CP56Time2a: milliseconds of the minute (2), minute, hour, day, month, year since 2000, each with flags in its upper
 * bits. Undefined is an invalid time, such as all zeros. Fractions of a second are dropped.
 */
export const clock: Wire<number | undefined> = {
  size,
  read(from) {
    const [low = 0, high = 0, minute = 0, hour = 0, day = 0, month = 0, year = 0] = from.take(size)
    const seconds = Math.floor((low + high * 256) / 1000)
    const parts = [2000 + (year & 0x7f), (month & 0x0f) - 1, day & 0x1f, hour & 0x1f, minute & 0x3f, seconds] as const
    const ms = Date.UTC(...parts)
    const there = new Date(ms)
    const back = [there.getUTCFullYear(), there.getUTCMonth(), there.getUTCDate(), there.getUTCHours()]
    const same = back.every((part, at) => part === parts[at]) && there.getUTCMinutes() === parts[4] && seconds < 60
    return same ? ms / 1000 - offsetS : undefined
  },
  write(to, value) {
    if (value === undefined) {
      to.push(...Array.from({ length: size }, () => 0))
      return true
    }
    const time = new Date((value + offsetS) * 1000)
    const year = time.getUTCFullYear() - 2000
    if (!Number.isInteger(value) || !(year >= 0 && year < 100)) return false
    const ms = time.getUTCSeconds() * 1000
    const day = [time.getUTCMinutes(), time.getUTCHours(), time.getUTCDate(), time.getUTCMonth() + 1, year]
    to.push(ms % 256, Math.floor(ms / 256), ...day)
    return true
  },
}
