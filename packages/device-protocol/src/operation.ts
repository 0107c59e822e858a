import { protocolTable, type NameIn } from './protocol-table.ts'

/**
 * Operations on a whole device, with the command of each protocol. DNY cannot stop a device: the platform refuses
 * starts until it is restored.
 */
export const operation = protocolTable({
  unknown: { code: 0, label: '未知操作' },
  restart: { code: 1, label: '重启', dny: [0x87], mqttJson: ['restart'], ocpp16: ['Reset'], ykc: ['92'] },
  stop: { code: 2, label: '停用', mqttJson: ['stop'], ocpp16: ['Inoperative'], ykc: ['52 01'] },
  restore: { code: 3, label: '恢复', mqttJson: ['restore'], ocpp16: ['Operative'], ykc: ['52 00'] },
})
export type OperationName = NameIn<typeof operation>
