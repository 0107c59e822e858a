/** How often a device says something, and how it is used. All in milliseconds. */
export type Habits = {
  heartbeatMs: number
  reportMs: number
  /** Undefined: as the protocol says. */
  resendMs?: number | undefined
  /** How long a charge takes, about. */
  chargeMs: number
  /** How long a port stands idle between two, about; 0: nobody comes by themselves. */
  idleMs: number
  /** The most that a battery takes, from and to. */
  peakW: readonly [number, number]
  /** How long the line is lost, and how long a start is kept quiet, where these are what goes wrong. */
  awayMs: number
  quietMs: number
  /** What piles that reckon themselves were told a kWh costs, in 0.00001 yuan. */
  priceE5: number
}
/** Of a real device. */
export const realHabits: Habits = {
  heartbeatMs: 180_000,
  reportMs: 300_000,
  chargeMs: 3 * 3_600_000,
  idleMs: 2 * 3_600_000,
  peakW: [80, 500],
  awayMs: 60_000,
  // The platform waits 90 s for a start.
  quietMs: 100_000,
  priceE5: 0,
}
