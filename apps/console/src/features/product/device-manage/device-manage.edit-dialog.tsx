import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { type Device, deviceManage } from '@wattdeck/contract/product/device-manage.ts'
import { Input, Select } from 'antd'
import { DayPicker } from '../../../kit/form/DayPicker.tsx'
import { Field } from '../../../kit/form/Field.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { LocationField } from '../../../kit/owner-region/LocationField.tsx'
import { AgentField, OrganiseField, SiteField } from '../../../kit/owner-region/OwnerFields.tsx'
import { useUser } from '../../../kit/api/user.ts'
import { useDeviceClasses } from '../_shared/device-class.ts'
import { isPlatform } from '../_shared/platform.ts'

type Props = { row?: Device | undefined; onClose: () => void }
const refresh = [deviceManage.list, deviceManage.totals]

const editable = ['name', 'deviceTypeId', 'imei', 'iccid', 'hardwareVersion', 'lng', 'lat', 'remark'] as const
const initialOf = (row: Device): Record<string, unknown> =>
  Object.fromEntries(editable.map((name) => [name, row[name] ?? undefined] as const))

export function DeviceDialog({ row, onClose }: Props) {
  const user = useUser()
  const common = { size: 900 as const, columns: 2 as const, refresh, onClose }
  if (row)
    return (
      <FormDialog
        {...common}
        title={`编辑设备：${row.deviceNo}`}
        route={deviceManage.edit}
        initial={initialOf(row)}
        toBody={(values) => ({ ...values, id: row.id }) as BodyOf<typeof deviceManage.edit>}
      >
        <DeviceFields own={row.deviceTypeId} wireHelp="留空则保持不变" />
      </FormDialog>
    )
  return (
    <FormDialog {...common} title="新增设备" route={deviceManage.add} initial={{ organiseId: user?.organiseId }}>
      <Field name="deviceNo" label="设备编号" help="机身铭牌上的编号">
        <Input autoComplete="off" />
      </Field>
      <OrganiseField />
      <AgentField />
      <SiteField />
      <DeviceFields wireHelp="留空则由设备编号推算" />
      {isPlatform(user) && (
        <Field name="serviceUntil" label="基础服务到期" choose help="留空则为一年后">
          <DayPicker />
        </Field>
      )}
    </FormDialog>
  )
}

function DeviceFields({ own, wireHelp }: { own?: string; wireHelp: string }) {
  const { groups } = useDeviceClasses()
  return (
    <>
      <Field name="name" label="设备名称">
        <Input autoComplete="off" />
      </Field>
      <Field name="deviceTypeId" label="设备型号" choose>
        <Select showSearch={{ optionFilterProp: 'label' }} options={groups(own)} placeholder="请选择" />
      </Field>
      <Field name="imei" label="IMEI">
        <Input autoComplete="off" inputMode="numeric" />
      </Field>
      <Field name="iccid" label="ICCID">
        <Input autoComplete="off" />
      </Field>
      <Field name="wireId" label="通信标识" help={wireHelp}>
        <Input autoComplete="off" />
      </Field>
      <Field name="hardwareVersion" label="硬件版本">
        <Input autoComplete="off" />
      </Field>
      <LocationField />
      <Field name="remark" label="备注" wide>
        <Input.TextArea rows={2} />
      </Field>
    </>
  )
}
