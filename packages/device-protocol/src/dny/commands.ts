/** The command byte of a frame. An answer repeats the command byte of its request, in either direction. */
export const dnyCommand = {
  // from the device
  swipe: 0x02,
  settlement: 0x03,
  portReport: 0x06,
  host: 0x11,
  hostClock: 0x12,
  register: 0x20,
  heartbeat: 0x21,
  clock: 0x22,
  alarm: 0x42,
  // from the platform
  query: 0x81,
  port: 0x82,
  writeCharging: 0x83,
  writeProtection: 0x84,
  writeLimits: 0x85,
  writeCards: 0x86,
  restart: 0x87,
  changePort: 0x8a,
  readCharging: 0x90,
  readProtection: 0x91,
  readLimits: 0x92,
  readCards: 0x93,
} as const
