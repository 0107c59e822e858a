import { plugStatus } from '@wattdeck/contract/product/device-codes.ts'
import { deviceOperation } from '@wattdeck/contract/product/device-command.ts'
import type { Consequence } from '../../../kit/form/Consequence.tsx'

export type Operation = (typeof deviceOperation.options)[number]['value']

/** The effect of each operation, and whether it can be undone. */
export const operationTexts: Record<Operation, Pick<Consequence, 'effect' | 'undo'> & { danger?: true }> = {
  [deviceOperation.code.restart]: {
    effect: '设备立即重启，正在充电的端口会中断，由设备重启后结算',
    undo: '中断的充电不能恢复，用户须重新扫码',
    danger: true,
  },
  [deviceOperation.code.stop]: {
    effect: '停用后不能启动充电，正在进行的充电不受影响',
    undo: '可通过「恢复」重新启用',
    danger: true,
  },
  [deviceOperation.code.restore]: { effect: '恢复后可以启动充电', undo: '可通过「停用」再次停用' },
  [deviceOperation.code.query]: { effect: '设备立即上报当前状态', undo: '不影响正在进行的充电' },
}

type Ports = readonly { portNo: number; status: number }[]

/** 2 个（1、3 号端口）: the charging ports of a device. */
export function chargingText({ ports, online }: { ports: Ports; online: boolean }): string {
  const working = ports.filter(({ status }) => status === plugStatus.code.working).map(({ portNo }) => portNo)
  const text = working.length === 0 ? '0 个' : `${working.length} 个（${working.join('、')} 号端口）`
  return online ? text : `${text}，为离线前的状态`
}

/** The number of charging ports of these devices. */
export const chargingCount = (devices: readonly { ports: Ports }[]) =>
  devices.reduce((sum, { ports }) => sum + ports.filter(({ status }) => status === plugStatus.code.working).length, 0)
