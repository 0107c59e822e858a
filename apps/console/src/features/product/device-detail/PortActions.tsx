import { MoreOutlined } from '@ant-design/icons'
import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { enabledStatus } from '@wattdeck/contract/common.ts'
import { plugStatus } from '@wattdeck/contract/product/device-codes.ts'
import { deviceCommand } from '@wattdeck/contract/product/device-command.ts'
import { deviceDetail, type DeviceDetail, type DevicePort } from '@wattdeck/contract/product/device-detail.ts'
import { InputNumber } from 'antd'
import { useState } from 'react'
import { Can } from '../../../kit/api/Can.tsx'
import { Field } from '../../../kit/form/Field.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { MenuButton } from '../../../kit/display/MenuButton.tsx'
import { useConfirmedSubmit } from '../../../kit/form/use-confirm.ts'
import { followCommand, useCommand } from '../device-command/device-command.follow.ts'

type Props = { device: Pick<DeviceDetail, 'id' | 'deviceNo' | 'name' | 'online' | 'status'>; port: DevicePort }

/** Why a port cannot be started now; the server checks the same. */
function startProblem({ device, port }: Props): string | undefined {
  if (!device.online) return '设备离线'
  if (device.status === enabledStatus.code.disabled) return '设备已停用'
  if (!port.enabled) return '端口已停用'
  if (port.status === plugStatus.code.working) return '端口正在工作'
  return port.status === plugStatus.code.fault ? '端口故障' : undefined
}
const stopProblem = ({ device, port }: Props): string | undefined =>
  !device.online
    ? '设备离线'
    : port.orderNo === null || port.status !== plugStatus.code.working
      ? '端口未在工作'
      : undefined

/** Actions on one port. */
export function PortActions({ device, port }: Props) {
  const [starting, setStarting] = useState(false)
  const what = `${port.portNo} 号端口`
  const refresh = [deviceDetail.read]
  const stop = useCommand(deviceCommand.stopPort)
  const switchPort = useConfirmedSubmit(deviceCommand.switchPort, { refresh })
  const body = { deviceId: device.id, portNo: port.portNo }
  const [word, next] = port.enabled ? (['停用', '0'] as const) : (['启用', '1'] as const)
  return (
    <Can route={deviceCommand.startPort}>
      <MenuButton
        type="text"
        size="small"
        icon={<MoreOutlined />}
        aria-label={`操作 ${what}`}
        entries={[
          { label: '启动测试', disabled: startProblem({ device, port }), onClick: () => setStarting(true) },
          {
            label: '停止充电',
            danger: true,
            disabled: stopProblem({ device, port }),
            onClick: () =>
              stop(
                `停止${what}`,
                {
                  title: `确定要停止${what}吗？`,
                  okText: '停止充电',
                  danger: true,
                  facts: [
                    ['设备端口', `${device.name}（${device.deviceNo}），${what}`],
                    ['订单', port.orderNo ?? '–'],
                  ],
                  effect: '充电立即结束，按设备上报的账单结算',
                  undo: '停止后不能恢复充电，用户须重新扫码',
                },
                { body },
              ),
          },
          {
            label: `${word}端口`,
            onClick: () =>
              switchPort(
                {
                  title: `确定要${word}${what}吗？`,
                  ...(port.enabled ? { content: '停用后不能启动充电，正在进行的不受影响', danger: true } : {}),
                  okText: word,
                },
                { body: { ...body, enabled: next } },
              ),
          },
        ]}
      />
      {starting && (
        <FormDialog
          title={`启动测试：${what}`}
          route={deviceCommand.startPort}
          okText="启动"
          initial={{ minutes: 5 }}
          toBody={({ minutes }) => ({ ...body, minutes }) as BodyOf<typeof deviceCommand.startPort>}
          onClose={() => setStarting(false)}
          onDone={({ commandId }) => void followCommand(commandId, `启动${what}`).catch(() => undefined)}
        >
          <Field name="minutes" label="时长（分钟）" help="测试充电不计费，到时自动停止">
            <InputNumber min={1} max={720} precision={0} />
          </Field>
        </FormDialog>
      )}
    </Can>
  )
}
