import { type NameIn, type Protocol, protocolTable, type Reading } from './protocol-table.ts'

/** The status of a card that a device shows to its holder; DNY devices announce it by voice. */
export const accountStatus = protocolTable({
  unknown: { code: 0, label: '未知' },
  good: { code: 1, label: '正常', dny: [0], mqttJson: [1], ocpp16: ['Accepted'], ykc: [0] },
  notRegistered: { code: 2, label: '未注册卡', dny: [1], mqttJson: [2], ocpp16: ['Invalid'], ykc: [1, 9] },
  bindAgain: { code: 3, label: '请绑卡', dny: [2], mqttJson: [3] },
  unbindAgain: { code: 4, label: '请解卡', dny: [3], mqttJson: [4] },
  alreadyCharging: {
    code: 5,
    label: '请勿重复充电',
    dny: [4],
    mqttJson: [5],
    ocpp16: ['ConcurrentTx'],
    ykc: [4, 0x0a],
  },
  timesUsedUp: { code: 6, label: '超出限额次数', dny: [5], mqttJson: [6] },
  tooLittleMoney: { code: 7, label: '余额不足', dny: [6, 0x0e], mqttJson: [7], ykc: [3] },
  expired: { code: 8, label: '已过有效期', dny: [7], mqttJson: [8], ocpp16: ['Expired'] },
  portFault: { code: 9, label: '端口故障', dny: [8], mqttJson: [9] },
  durationUsedUp: { code: 10, label: '超出限额时长', dny: [0x0a], mqttJson: [10] },
  otherOperator: { code: 11, label: '请勿跨公众号使用', dny: [0x0b], mqttJson: [11] },
  deviceNotRegistered: { code: 12, label: '此设备未注册', dny: [0x0c], mqttJson: [12] },
  buyMonth: { code: 13, label: '请购买包月', dny: [0x0d], mqttJson: [13] },
  notHere: {
    code: 14,
    label: '此设备无法使用',
    dny: [0x0f, 0x10, 0x11, 0x12],
    mqttJson: [14],
    ocpp16: ['Blocked'],
    ykc: [6, 5],
  },
  frozen: { code: 15, label: '卡已挂失', mqttJson: [15], ykc: [2] },
})
export type AccountStatusName = NameIn<typeof accountStatus>

/** The protocol's code for a status. A protocol without one reports that the card cannot be used here. */
export function accountLabel(protocol: Protocol, name: AccountStatusName): Reading<AccountStatusName> {
  const [raw] = accountStatus.rows[name][protocol] ?? []
  return raw === undefined ? accountStatus.say(protocol, 'notHere') : { name, raw }
}
