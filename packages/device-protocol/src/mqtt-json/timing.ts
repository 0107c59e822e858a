/** Timing between a device and the platform. */
export const mqttTiming = {
  keepAliveS: 60,
  heartbeatMs: 180_000,
  /** Missed heartbeats before the device is offline. */
  heartbeatsMissed: 2,
  /** Report interval of a running charge. */
  portReportMs: 60_000,
  replyTimeoutMs: 15_000,
  resendFirstMs: 30_000,
  resendMaxMs: 1_800_000,
  /** Each wait is random between half and all of the value, so that a fleet does not reconnect at once. */
  reconnectFirstMs: 2000,
  reconnectMaxMs: 300_000,
} as const

/** How long a device waits for an acknowledgement after the nth send of a record, counted from 1. */
export const resendAfterMs = (times: number): number =>
  Math.min(mqttTiming.resendFirstMs * 2 ** Math.min(times - 1, 10), mqttTiming.resendMaxMs)
