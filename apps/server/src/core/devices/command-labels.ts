import { refusal, type RefusalName } from '@wattdeck/device-protocol/refusal.ts'

/** Texts for failures of a command before or after sending. */
const failures: Record<string, string> = {
  offline: '设备离线',
  absent: '设备不在线',
  removed: '设备已删除',
  expired: '指令已过期',
  unsupported: '设备协议不支持该指令',
  lineLost: '连接中断，结果未知',
  noAnswer: '设备未应答，结果未知',
  cancelled: '已取消',
}

/** Display text of a reason from a gateway, a device or the platform. */
export const commandReason = (reason: string | null): string | null =>
  reason === null ? null : (failures[reason] ?? refusal.labelOf(reason as RefusalName))
