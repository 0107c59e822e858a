/** Timing and usage of a device. All times in milliseconds. */
export type Habits = {
  heartbeatMs: number
  reportMs: number
  /** Undefined: the protocol's interval. */
  resendMs?: number | undefined
  /** Mean duration of a charge. */
  chargeMs: number
  /** Mean idle time of a port between charges; 0 starts no charges automatically. */
  idleMs: number
  /** Range of the peak power of a battery. */
  peakW: readonly [number, number]
  /** Duration of an outage, and of the silence after a start, where these faults occur. */
  awayMs: number
  quietMs: number
  /** Price per kWh at chargers that compute the bill, in 0.00001 yuan. */
  priceE5: number
}
/** Values of a real device. */
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
