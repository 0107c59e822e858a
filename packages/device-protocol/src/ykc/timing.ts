/** What YKC piles and their platform expect of time. */
export const ykcTiming = {
  /** Of each gun. */
  heartbeatMs: 10_000,
  /** So many heartbeats missed: offline, and the pile logs in again. */
  heartbeatsMissed: 3,
  /** Of a gun that charges, of one that does not. */
  reportMs: 15_000,
  idleReportMs: 300_000,
  replyTimeoutMs: 15_000,
  /** A start is answered when the car has been spoken to. */
  startTimeoutMs: 90_000,
  /** After 'not plugged in' the person may still do it, and the pile says a second time that it has started. */
  plugInMs: 60_000,
  /** Until it is acknowledged: three times, and once more at last. */
  settlementResendMs: 30_000,
  settlementResends: 3,
  settlementLastMs: 300_000,
  /** Prices hold by the pile's clock. */
  setClockMs: 86_400_000,
} as const
