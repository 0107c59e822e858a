/** What AP3000 devices and their hosts expect of time. */
export const dnyTiming = {
  /** Between two commands to one device; a device that gets them faster loses some. */
  commandGapMs: 500,
  replyTimeoutMs: 15_000,
  /** With the same message id, by which a device knows that it has done it. */
  retries: 1,
  heartbeatMs: 180_000,
  /** So many heartbeats missed: offline. */
  heartbeatsMissed: 2,
  hostHeartbeatMs: 1_800_000,
  portReportMs: 300_000,
  linkMs: 30_000,
  /** Until it is acknowledged; the next record follows a minute after an acknowledgement. */
  settlementResendMs: 1_800_000,
  settlementNextMs: 60_000,
  clockAskMs: 43_200_000,
} as const
