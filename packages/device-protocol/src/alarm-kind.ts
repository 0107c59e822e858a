import { protocolTable, type NameIn } from './protocol-table.ts'

export const alarmKind = protocolTable({
  unknown: { code: 0, label: '未知报警' },
  powerLoss: { code: 1, label: '断电', dny: [1], mqttJson: [1] },
  flooded: { code: 2, label: '水浸', dny: [2], mqttJson: [2] },
  glueMelted: { code: 3, label: '热熔胶触发', dny: [3], mqttJson: [3] },
  smoke: { code: 4, label: '烟感报警', dny: [4], mqttJson: [4] },
  heat: { code: 5, label: '温感报警', dny: [5], mqttJson: [5], ocpp16: ['HighTemperature'], ykc: [3] },
  waterLevel: { code: 6, label: '水位报警', dny: [6], mqttJson: [6] },
  doorOpen: { code: 7, label: '柜门弹开', dny: [7], mqttJson: [7], ykc: [13] },
  leakage: { code: 8, label: '漏电', mqttJson: [8], ocpp16: ['GroundFailure'] },
  emergencyStop: { code: 9, label: '急停', mqttJson: [9], ykc: [1] },
  overload: { code: 10, label: '整机过载', mqttJson: [10], ocpp16: ['OverCurrentFailure'] },
  hardware: { code: 11, label: '硬件故障', mqttJson: [11], ykc: [2, 4, 5, 6, 7, 8, 9, 10, 11, 12] },
})
export type AlarmName = NameIn<typeof alarmKind>
