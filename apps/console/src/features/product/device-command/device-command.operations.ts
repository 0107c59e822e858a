import { enabledStatus } from '@wattdeck/contract/common.ts'
import { deviceCommand, deviceOperation, whenOffline } from '@wattdeck/contract/product/device-command.ts'
import type { Device } from '@wattdeck/contract/product/device-manage.ts'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import { useCommand } from './device-command.follow.ts'

type Result = Pick<Device, 'id' | 'deviceNo' | 'status' | 'online'>
type Operation = (typeof deviceOperation.options)[number]['value']

const words: Record<Operation, { content: string; danger?: true }> = {
  [deviceOperation.code.restart]: { content: '正在充电的端口会中断，由设备重启后结算', danger: true },
  [deviceOperation.code.stop]: { content: '停用后不能启动充电；正在进行的充电不受影响', danger: true },
  [deviceOperation.code.restore]: { content: '恢复后可以启动充电' },
  [deviceOperation.code.query]: { content: '请设备立即上报当前状态' },
}

/** What a person does to a whole device. One that is offline is told as soon as it is back, but for asking how it is. */
export function useOperations() {
  const { restart, stop, restore, query } = deviceOperation.code
  const give = useCommand(deviceCommand.operate, '设备指令')
  return (device: Result): RowAction[] => {
    const action = (operation: Operation, disabled?: string): RowAction => {
      const { label } = deviceOperation.show(operation)
      const { content, danger } = words[operation]
      const lazyPart = operation === query ? whenOffline.code.fail : whenOffline.code.wait
      return {
        label,
        route: deviceCommand.operate,
        ...(danger ? { danger } : {}),
        disabled,
        onClick: () =>
          give(
            {
              title: `确定要${label}设备「${device.deviceNo}」吗？`,
              content: device.online ? content : `${content}。设备当前离线，指令将在上线后执行`,
              danger: danger === true,
              okText: label,
            },
            { body: { deviceId: device.id, operation, whenOffline: lazyPart } },
          ),
      }
    }
    const enabled = device.status === enabledStatus.code.enabled
    return [
      action(restart),
      action(query, device.online ? undefined : '设备离线'),
      enabled ? action(stop) : action(restore),
    ]
  }
}
