/** Timing of AP3000 devices and their hosts. */
export const dnyTiming = {
  /** Minimum gap between commands to one device, which drops faster ones. */
  commandGapMs: 500,
  replyTimeoutMs: 15_000,
  /** Retries keep the message id, by which a device detects the repeat. */
  retries: 1,
  heartbeatMs: 180_000,
  /** Missed heartbeats before the device is offline. */
  heartbeatsMissed: 2,
  hostHeartbeatMs: 1_800_000,
  portReportMs: 300_000,
  linkMs: 30_000,
  /** Resend interval until the acknowledgement; the next record follows a minute after it. */
  settlementResendMs: 1_800_000,
  settlementNextMs: 60_000,
  clockAskMs: 43_200_000,
} as const
