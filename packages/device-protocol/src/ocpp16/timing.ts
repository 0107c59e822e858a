/** What a charge point and the platform expect of each other's time. */
export const ocppTiming = {
  /** Told in the answer to BootNotification. */
  heartbeatMs: 300_000,
  /** So many heartbeats missed: offline. */
  heartbeatsMissed: 2,
  /** For the answer to a call, in either direction. */
  replyTimeoutMs: 30_000,
  /** What a bill rests on is committed by then, or the connection ends: the charge point keeps it and comes again. */
  commitMs: 20_000,
  /** Two without an answer, and the line is dead. */
  pingMs: 30_000,
  meterValuesMs: 60_000,
} as const
