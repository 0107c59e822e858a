import { enabledStatus } from '@wattdeck/contract/common.ts'
import { deviceCommand, deviceOperation, whenOffline } from '@wattdeck/contract/product/device-command.ts'
import type { Device } from '@wattdeck/contract/product/device-manage.ts'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import { chargingText, type Operation, operationTexts } from './consequence-texts.ts'
import { useCommand } from './device-command.follow.ts'

type Target = Pick<Device, 'id' | 'deviceNo' | 'name' | 'status' | 'online' | 'siteName'> & {
  ports: readonly { portNo: number; status: number }[]
}

/** Operations on a whole device. Commands to an offline device are queued, except for a query. */
export function useOperations() {
  const { restart, stop, restore, query } = deviceOperation.code
  const give = useCommand(deviceCommand.operate)
  return (device: Target): RowAction[] => {
    const action = (operation: Operation, disabled?: string): RowAction => {
      const { label } = deviceOperation.show(operation)
      const { effect, undo, danger } = operationTexts[operation]
      const ifOffline = operation === query ? whenOffline.code.fail : whenOffline.code.wait
      return {
        label,
        route: deviceCommand.operate,
        ...(danger ? { danger } : {}),
        disabled,
        onClick: () =>
          give(
            `${label}设备${device.deviceNo}`,
            {
              title: `确定要${label}设备「${device.deviceNo}」吗？`,
              okText: label,
              danger: danger === true,
              facts: [
                ['设备', `${device.name}（${device.deviceNo}）`],
                ['站点', device.siteName ?? '–'],
                ['正在充电', chargingText(device)],
              ],
              effect: device.online ? effect : `${effect}。设备当前离线，指令将在上线后执行`,
              ...(undo === undefined ? {} : { undo }),
            },
            { body: { deviceId: device.id, operation, whenOffline: ifOffline } },
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
