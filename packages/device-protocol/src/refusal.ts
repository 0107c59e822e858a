import { protocolTable, type NameIn } from './protocol-table.ts'

/** Why a device refused a command. The DNY column holds the answers to a start or stop of a port. */
export const refusal = protocolTable({
  unknown: { code: 0, label: '未知原因' },
  unplugged: { code: 1, label: '端口未插充电器', dny: [1], mqttJson: [1], ykc: [5] },
  sameState: { code: 2, label: '端口已是该状态', dny: [2], mqttJson: [2], ocpp16: ['Occupied'], ykc: [2] },
  portFault: { code: 3, label: '端口故障', dny: [3], mqttJson: [3], ocpp16: ['Faulted'], ykc: [3] },
  noPort: { code: 4, label: '无此端口', dny: [4], mqttJson: [4], ykc: [1] },
  severalWaiting: { code: 5, label: '有多个待充端口', dny: [5], mqttJson: [5] },
  overPower: { code: 6, label: '整机功率超标', dny: [6], mqttJson: [6] },
  storageFault: { code: 7, label: '存储器损坏', dny: [7], mqttJson: [7] },
  relayFault: { code: 8, label: '继电器或保险丝故障', dny: [8], mqttJson: [8] },
  relayStuck: { code: 9, label: '继电器粘连', dny: [9], mqttJson: [9] },
  shortCircuit: { code: 10, label: '负载短路', dny: [0x0a], mqttJson: [10] },
  smoke: { code: 11, label: '烟感报警', dny: [0x0b], mqttJson: [11] },
  overVoltage: { code: 12, label: '过压', dny: [0x0c], mqttJson: [12] },
  underVoltage: { code: 13, label: '欠压', dny: [0x0d], mqttJson: [13] },
  noResponse: { code: 14, label: '端口未响应', dny: [0x0e], mqttJson: [14], ykc: [4] },
  notCharging: { code: 15, label: '端口未在充电', mqttJson: [15] },
  belowPresent: { code: 16, label: '设置值小于当前值', mqttJson: [16] },
  badValue: {
    code: 17,
    label: '参数错误',
    mqttJson: [17],
    ocpp16: [
      'PropertyConstraintViolation',
      'TypeConstraintViolation',
      'FormationViolation',
      'OccurrenceConstraintViolation',
      'OccurenceConstraintViolation',
    ],
  },
  otherOrder: { code: 18, label: '订单号不符', mqttJson: [18] },
  stopped: { code: 19, label: '设备已停用', mqttJson: [19], ocpp16: ['Unavailable'] },
  expired: { code: 20, label: '指令已过期', mqttJson: [20] },
  oldCounter: { code: 21, label: '指令计数过旧', mqttJson: [21] },
  unsupported: { code: 22, label: '设备不支持', mqttJson: [22], ocpp16: ['NotSupported', 'NotImplemented'] },
})
export type RefusalName = NameIn<typeof refusal>
