/** Timing between a charge point and the platform. */
export const ocppTiming = {
  /** Sent in the answer to BootNotification. */
  heartbeatMs: 300_000,
  /** Missed heartbeats before the charge point is offline. */
  heartbeatsMissed: 2,
  /** Timeout of a call, in either direction. */
  replyTimeoutMs: 30_000,
  /**
   * Deadline for the commit of billing events. After it the connection closes; the charge point keeps the message and
   * retries.
   */
  commitMs: 20_000,
  /** After two unanswered pings the connection is dead. */
  pingMs: 30_000,
  meterValuesMs: 60_000,
} as const
