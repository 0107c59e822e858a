import { protocolTable, type NameIn, type Reading } from './protocol-table.ts'

/**
 * Status of a port. Being offline is a state of the device, not a plug status; with DNY only the platform sets
 * 'appointed'. DNY has several fault codes, which the reading keeps as its raw value.
 */
export const plugStatus = protocolTable({
  unknown: { code: 0, label: '未知' },
  free: { code: 1, label: '空闲', dny: [0], mqttJson: [1], ocpp16: ['Available'], ykc: [2] },
  working: {
    code: 2,
    label: '工作中',
    dny: [1, 5],
    mqttJson: [2],
    ocpp16: ['Charging', 'SuspendedEV', 'SuspendedEVSE'],
    ykc: [3],
  },
  fault: {
    code: 3,
    label: '故障',
    dny: [4, 6, 7, 8, 9, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x10],
    mqttJson: [3],
    ocpp16: ['Faulted', 'Unavailable'],
    ykc: [1, 0],
  },
  appointed: { code: 4, label: '已预约', mqttJson: [4], ocpp16: ['Reserved'] },
  connected: { code: 5, label: '已连接', dny: [2, 3], mqttJson: [5], ocpp16: ['Preparing', 'Finishing'] },
  washerWarning: { code: 6, label: '洗衣机告警', mqttJson: [6] },
  washerDown: { code: 7, label: '洗衣机停机', mqttJson: [7] },
})
export type PlugStatusName = NameIn<typeof plugStatus>
export type PlugReading = Reading<PlugStatusName>
