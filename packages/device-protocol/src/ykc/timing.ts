/** Timing of YKC piles and their platform. */
export const ykcTiming = {
  /** Heartbeat interval of each gun. */
  heartbeatMs: 10_000,
  /** Missed heartbeats before the pile is offline and logs in again. */
  heartbeatsMissed: 3,
  /** Report interval while charging, and while idle. */
  reportMs: 15_000,
  idleReportMs: 300_000,
  replyTimeoutMs: 15_000,
  /** A start is answered after the handshake with the car. */
  startTimeoutMs: 90_000,
  /** After 'not plugged in' the member may still plug in, and the pile then sends a second, successful answer. */
  plugInMs: 60_000,
  /** Resend interval without an acknowledgement: three times, then one last time. */
  settlementResendMs: 30_000,
  settlementResends: 3,
  settlementLastMs: 300_000,
  /** The pile's clock selects the price. */
  setClockMs: 86_400_000,
} as const
