import { attributeSetting, type DeviceAttribute } from '@wattdeck/contract/product/attribute-setting.ts'
import { attributeAccess } from '@wattdeck/contract/product/platform-attribute.ts'
import type { DataOf } from '@wattdeck/contract/kit/route.ts'
import { Button } from 'antd'
import { Can } from '../../../kit/api/Can.tsx'
import { refetchRoutes } from '../../../kit/api/queries.ts'
import { useConfirmedSubmit } from '../../../kit/form/use-confirm.ts'
import { useSubmit } from '../../../kit/form/use-submit.ts'
import { followCommand } from '../device-command/device-command.follow.ts'

type Device = DataOf<typeof attributeSetting.list>['device']
type Props = {
  device: Device
  attributes: readonly DeviceAttribute[]
  values: readonly { identifier: string; value: string }[]
  wrong: boolean
  onEdited: (values: Readonly<Record<string, string>>) => void
}

/** Follows each command to its end, then refetches the values reported by the device. */
async function follow(ids: readonly string[], what: string): Promise<void> {
  for (const id of ids) {
    await followCommand(id, what).catch(() => undefined)
    await refetchRoutes([attributeSetting.list])
  }
}

/** Attributes whose reported value differs from the default. */
const changedFromDefault = (attributes: readonly DeviceAttribute[]) =>
  attributes.filter(
    ({ supported, access, defaultValue, reported }) =>
      supported && access !== attributeAccess.code.read && defaultValue !== null && defaultValue !== reported,
  )

export function AttributeActions({ device, attributes, values, wrong, onEdited }: Props) {
  const refresh = [attributeSetting.list]
  const read = useSubmit(attributeSetting.read, {
    feedback: 'silent',
    refresh,
    onDone: ({ commandIds }) => void follow(commandIds, '读取属性'),
  })
  const write = useConfirmedSubmit(attributeSetting.write, {
    feedback: 'silent',
    refresh,
    onDone: ({ commandIds }) => {
      onEdited({})
      void follow(commandIds, '下发属性')
    },
  })
  const restored = changedFromDefault(attributes)
  return (
    <span className="attribute-buttons">
      <Can route={attributeSetting.read}>
        <Button loading={read.pending} onClick={() => void read.run({ body: { deviceId: device.id } })}>
          读取
        </Button>
      </Can>
      <Can route={attributeSetting.write}>
        <Button
          disabled={restored.length === 0}
          onClick={() =>
            onEdited(
              Object.fromEntries(restored.map(({ identifier, defaultValue }) => [identifier, defaultValue ?? ''])),
            )
          }
        >
          恢复默认
        </Button>
        <Button
          type="primary"
          disabled={values.length === 0 || wrong}
          onClick={() =>
            write(
              {
                title: `确定要向设备「${device.deviceNo}」下发 ${values.length} 项属性吗？`,
                content: device.online ? '下发后自动读取设备当前值核对' : '设备当前离线，将在一小时内上线后下发',
                okText: '下发',
              },
              { body: { deviceId: device.id, values: [...values] } },
            )
          }
        >
          {values.length === 0 ? '下发' : `下发 ${values.length} 项`}
        </Button>
      </Can>
    </span>
  )
}
