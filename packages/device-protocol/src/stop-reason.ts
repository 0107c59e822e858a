import { protocolTable, type NameIn } from './protocol-table.ts'

const from = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, at) => first + at)

/** Why a charge ended, from its settlement. */
export const stopReason = protocolTable({
  unknown: { code: 0, label: '未知原因' },
  full: { code: 1, label: '充满自停', dny: [1], mqttJson: [1], ykc: [0x41] },
  maxDuration: { code: 2, label: '达到最大充电时长', dny: [2], mqttJson: [2] },
  presetDuration: { code: 3, label: '达到预设时间', dny: [3], mqttJson: [3], ykc: [0x44] },
  presetEnergy: { code: 4, label: '达到预设电量', dny: [4], mqttJson: [4], ykc: [0x42] },
  unplugged: { code: 5, label: '用户拔出', dny: [5, 0x0d], mqttJson: [5], ocpp16: ['EVDisconnected'] },
  overload: { code: 6, label: '负载过大', dny: [6], mqttJson: [6] },
  remote: { code: 7, label: '平台停止', dny: [7], mqttJson: [7], ocpp16: ['Remote', 'UnlockCommand'], ykc: [0x40] },
  dynamicOverload: { code: 8, label: '动态过载', dny: [8], mqttJson: [8] },
  lowPower: { code: 9, label: '功率过小', dny: [9, 0x1c], mqttJson: [9] },
  ambientHot: { code: 10, label: '环境温度过高', dny: [0x0a], mqttJson: [10] },
  portHot: { code: 11, label: '端口温度过高', dny: [0x0b], mqttJson: [11] },
  overCurrent: { code: 12, label: '过流', dny: [0x0c], mqttJson: [12] },
  noPower: { code: 13, label: '无功率', dny: [0x0e], mqttJson: [13] },
  relayFault: { code: 14, label: '继电器或保险丝故障', dny: [0x0f], mqttJson: [14] },
  flooded: { code: 15, label: '水浸断电', dny: [0x10], mqttJson: [15] },
  fire: { code: 16, label: '灭火断电', dny: [0x11, 0x12, 0x18], mqttJson: [16] },
  doorOpen: { code: 17, label: '柜门打开', dny: [0x13, 0x14], mqttJson: [17] },
  localStop: { code: 18, label: '现场停止', dny: [0x15], mqttJson: [18], ocpp16: ['Local'], ykc: [0x45] },
  cardStop: { code: 19, label: '刷卡停止', dny: [0x16], mqttJson: [19] },
  forced: {
    code: 20,
    label: '平台强制停止',
    dny: [0x17],
    mqttJson: [20],
    ocpp16: ['DeAuthorized', 'SoftReset', 'HardReset'],
  },
  storageFault: { code: 21, label: '存储器故障', dny: [0x19], mqttJson: [21] },
  overVoltage: { code: 22, label: '过压', dny: [0x1a], mqttJson: [22] },
  underVoltage: { code: 23, label: '欠压', dny: [0x1b], mqttJson: [23] },
  presetAmount: { code: 24, label: '达到预设金额', mqttJson: [24], ykc: [0x43, 0x6e] },
  powerLoss: { code: 25, label: '断电', mqttJson: [25], ocpp16: ['PowerLoss', 'Reboot'], ykc: [0x83] },
  emergencyStop: { code: 26, label: '急停', mqttJson: [26], ocpp16: ['EmergencyStop'], ykc: [0x72] },
  leakage: { code: 27, label: '漏电', mqttJson: [27] },
  startFailed: { code: 28, label: '启动失败', mqttJson: [28], ykc: from(0x4a, 0x69) },
  aborted: {
    code: 29,
    label: '异常中止',
    mqttJson: [29],
    ykc: from(0x6a, 0x8f).filter((raw) => raw !== 0x6e && raw !== 0x72 && raw !== 0x83),
  },
})
export type StopReasonName = NameIn<typeof stopReason>
