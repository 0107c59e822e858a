import { protocolTable, type NameIn } from './protocol-table.ts'

/** What authorised a charge. All but 'platform' start without the platform's knowledge. */
export const startMode = protocolTable({
  unknown: { code: 0, label: '未知' },
  platform: { code: 1, label: '平台启动', dny: [1], mqttJson: [1], ykc: [1, 2, 5] },
  offlineCard: { code: 2, label: '离线刷卡启动', dny: [0], mqttJson: [2], ykc: [4] },
  offlineCode: { code: 3, label: '验证码启动', dny: [3], mqttJson: [3] },
})
export type StartModeName = NameIn<typeof startMode>
