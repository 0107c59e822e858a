/** What a device and the platform expect of each other's time. */
export const mqttTiming = {
  keepAliveS: 60,
  heartbeatMs: 180_000,
  /** So many heartbeats missed: offline. */
  heartbeatsMissed: 2,
  /** Of a charge that runs. */
  portReportMs: 60_000,
  replyTimeoutMs: 15_000,
  resendFirstMs: 30_000,
  resendMaxMs: 1_800_000,
  /** A device draws its wait between half of it and all of it, so that a fleet does not come back at once. */
  reconnectFirstMs: 2000,
  reconnectMaxMs: 300_000,
} as const

/** How long a device waits for an acknowledgement after it sent a record for the nth time, from 1. */
export const resendAfterMs = (times: number): number =>
  Math.min(mqttTiming.resendFirstMs * 2 ** Math.min(times - 1, 10), mqttTiming.resendMaxMs)
