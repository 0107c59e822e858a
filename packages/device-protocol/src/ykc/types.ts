/**
 * Frame types. Odd ones come from the pile, even ones from the platform; all requests but a settlement have an adjacent
 * answer type.
 */
export const ykcType = {
  // from the pile
  login: 0x01,
  heartbeat: 0x03,
  tariffCheck: 0x05,
  tariffWanted: 0x09,
  report: 0x13,
  swipe: 0x31,
  started: 0x33,
  stopped: 0x35,
  settlement: 0x3b,
  workSet: 0x51,
  clockSet: 0x55,
  tariffSet: 0x57,
  restarted: 0x91,
  // from the platform
  loginAnswer: 0x02,
  heartbeatAnswer: 0x04,
  tariffCheckAnswer: 0x06,
  tariffAnswer: 0x0a,
  askReport: 0x12,
  swipeAnswer: 0x32,
  start: 0x34,
  stop: 0x36,
  settlementAnswer: 0x40,
  setWork: 0x52,
  setClock: 0x56,
  setTariff: 0x58,
  restart: 0x92,
} as const

/** The answer type of a command: type + 1 for a gun query, type - 1 for all others. */
export const answerTypeOf = (type: number): number => (type === ykcType.askReport ? ykcType.report : type - 1)

/**
 * Frames that the platform does not use: the talk with the car's battery, unused balances and upgrades, parking locks.
 * `serial`: an order number precedes the pile number.
 */
export const remarkTypes: ReadonlyMap<number, { about: string; serial: boolean }> = new Map([
  [0x15, { about: '充电握手', serial: true }],
  [0x17, { about: '参数配置', serial: true }],
  [0x19, { about: '充电结束', serial: true }],
  [0x1b, { about: '错误报文', serial: true }],
  [0x1d, { about: 'BMS中止', serial: true }],
  [0x21, { about: '充电机中止', serial: true }],
  [0x23, { about: 'BMS需求', serial: true }],
  [0x25, { about: 'BMS信息', serial: true }],
  [0x41, { about: '余额更新结果', serial: false }],
  [0x61, { about: '地锁状态', serial: false }],
  [0x93, { about: '远程更新结果', serial: false }],
])
