import {
  appForm,
  chargingMini,
  chargingMiniList,
  type MemberApp,
  newAppForm,
} from '@wattdeck/contract/member/charging-mini.ts'
import { memberChannel } from '@wattdeck/contract/member/member-row.ts'
import { ColorPicker } from 'antd'
import { FieldInputs, rowValues } from '../../../kit/crud/FieldInputs.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { OrganiseField } from '../../../kit/owner-region/OwnerFields.tsx'
import { useOwnOrganise } from './own-organise.ts'

type Props = { row: MemberApp | undefined; onClose: () => void }

const { fields } = chargingMiniList
const refresh = [chargingMini.list]
const common = { size: 780, columns: 2, refresh } as const
const changes = { themeColor: { input: <ColorInput />, help: '小程序页面的主色，可不填' } }

export function AppDialog({ row, onClose }: Props) {
  const own = useOwnOrganise()
  if (row) {
    const { name, themeColor, hotline, domain } = row
    return (
      <FormDialog
        {...common}
        title={`修改小程序：${row.name}`}
        route={chargingMini.edit}
        initial={rowValues({ name, themeColor, hotline, domain }, [])}
        also={{ id: row.id }}
        onClose={onClose}
      >
        <FieldInputs fields={fields} names={appForm} row={row} changes={changes} />
      </FormDialog>
    )
  }
  return (
    <FormDialog
      {...common}
      title="新增小程序"
      route={chargingMini.add}
      initial={{ channel: memberChannel.code.miniProgram }}
      {...(own && { also: own })}
      onClose={onClose}
    >
      <OrganiseField />
      <FieldInputs fields={fields} names={[...newAppForm, ...appForm]} changes={changes} />
    </FormDialog>
  )
}

type ColorProps = { id?: string; value?: string; onChange?: (value: string | undefined) => void }

function ColorInput({ value, onChange }: ColorProps) {
  return (
    <ColorPicker
      value={value ?? null}
      showText={() => value ?? '未设置'}
      disabledAlpha
      disabledFormat
      format="hex"
      allowClear
      onClear={() => onChange?.(undefined)}
      onChangeComplete={(color) => {
        if (!color.cleared) onChange?.(color.toHexString())
      }}
    />
  )
}
