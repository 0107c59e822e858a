import { enabledStatus } from '@wattdeck/contract/common.ts'
import { plugStatus } from '@wattdeck/contract/product/device-codes.ts'

/** The conditions for a start at a port. */
export type PortCondition = {
  online: boolean
  status: number
  portStatus: number
  portEnabled: boolean
  isConfirmed: boolean
}
/** The reason why a port cannot start, as a message for users. */
export function portProblem({
  online,
  status,
  portStatus,
  portEnabled,
  isConfirmed,
}: PortCondition): string | undefined {
  if (status === enabledStatus.code.disabled) return '设备已停用，不能启动'
  if (!portEnabled) return '端口已停用，不能启动'
  if (!isConfirmed) return '设备首次接入待确认，不能启动'
  if (!online) return '设备离线，不能启动'
  if (portStatus === plugStatus.code.working) return '端口正在工作'
  return portStatus === plugStatus.code.fault ? '端口故障，不能启动' : undefined
}
