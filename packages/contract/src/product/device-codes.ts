import { codes } from '../kit/codes.ts'

/** The state of a port. Offline is a state of the device, not of the port. */
export const plugStatus = codes({
  free: { code: 1, label: '空闲', tone: 'ok' },
  working: { code: 2, label: '工作中', tone: 'run' },
  fault: { code: 3, label: '故障', tone: 'bad' },
  appointed: { code: 4, label: '已预约', tone: 'book' },
  connected: { code: 5, label: '已连接', tone: 'link' },
  washerWarning: { code: 6, label: '洗衣机告警', tone: 'warn' },
  washerDown: { code: 7, label: '洗衣机停机', tone: 'off' },
})

export const onlineStatus = codes({
  online: { code: 1, label: '在线', tone: 'ok' },
  offline: { code: 0, label: '离线', tone: 'off' },
})

/** Whether a person has confirmed the first connection of a device without authentication. */
export const lineStatus = codes({
  confirmed: { code: 1, label: '已确认', tone: 'ok' },
  waiting: { code: 0, label: '待确认', tone: 'warn' },
})

export const installStatus = codes({
  waiting: { code: 0, label: '待上报', tone: 'book' },
  success: { code: 1, label: '成功', tone: 'ok' },
  failure: { code: 2, label: '失败', tone: 'bad' },
})
/** The first report of the device confirms its installation. */
export const installFlow = installStatus.flow({ report: { from: ['waiting'], to: 'success' } })

/** The basic service state of one device, by its expiry date. */
export const deviceServiceStatus = codes({
  normal: { code: 1, label: '正常', tone: 'ok' },
  expiring: { code: 2, label: '即将到期', tone: 'warn' },
  expired: { code: 3, label: '已到期', tone: 'bad' },
})

export const messageDirection = codes({
  up: { code: 1, label: '上行', tone: 'run' },
  down: { code: 2, label: '下行', tone: 'link' },
})

/** Message kinds, common to all protocols. */
export const messageKind = codes({
  register: { code: 'register', label: '注册' },
  heartbeat: { code: 'heartbeat', label: '心跳' },
  portStatus: { code: 'portStatus', label: '端口状态' },
  host: { code: 'host', label: '主机信息' },
  portReport: { code: 'portReport', label: '端口上报' },
  swipe: { code: 'swipe', label: '刷卡' },
  offlineStart: { code: 'offlineStart', label: '离线启动' },
  started: { code: 'started', label: '充电开始' },
  settlement: { code: 'settlement', label: '结算' },
  strayStop: { code: 'strayStop', label: '未知交易结束' },
  alarm: { code: 'alarm', label: '报警' },
  command: { code: 'command', label: '平台指令' },
  commandResult: { code: 'commandResult', label: '指令结果' },
  clockAsked: { code: 'clockAsked', label: '请求对时' },
  tariffAsked: { code: 'tariffAsked', label: '请求计费模型' },
  remark: { code: 'remark', label: '其他上报' },
  iccid: { code: 'iccid', label: 'ICCID上报' },
  link: { code: 'link', label: '链路保持' },
})

export const deviceEventKind = codes({
  online: { code: 'online', label: '上线', tone: 'ok' },
  offline: { code: 'offline', label: '离线', tone: 'off' },
  registered: { code: 'registered', label: '注册', tone: 'run' },
  portStatus: { code: 'portStatus', label: '端口状态', tone: 'link' },
  alarm: { code: 'alarm', label: '告警', tone: 'bad' },
})

export const deadLetterStatus = codes({
  waiting: { code: 1, label: '待处理', tone: 'warn' },
  replayed: { code: 2, label: '已重新投递', tone: 'ok' },
  abandoned: { code: 3, label: '已放弃', tone: 'off' },
})
export const deadLetterFlow = deadLetterStatus.flow({
  replay: { from: ['waiting'], to: 'replayed' },
  giveUp: { from: ['waiting'], to: 'abandoned' },
  /** Processing failed again. */
  fail: { from: ['replayed'], to: 'waiting' },
})
