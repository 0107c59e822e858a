import { userType } from '@wattdeck/contract/common.ts'
import { alarmCenter, type AlarmRule } from '@wattdeck/contract/product/alarm-center.ts'
import {
  alarmKind,
  alarmSeverity,
  kindName,
  proofOf,
  ruleMinutes,
  ruleThreshold,
} from '@wattdeck/contract/product/alarm-codes.ts'
import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { SwitchField } from '../../../kit/form/fields/SwitchField.tsx'
import { SelectField } from '../../../kit/form/fields/SelectField.tsx'
import { NumberField } from '../../../kit/form/fields/NumberField.tsx'

type Props = { rule: AlarmRule; whose: { organiseId?: string }; onClose: () => void }

export function RuleDialog({ rule, whose, onClose }: Props) {
  const { kind, own: _own, threshold, minutes, ...rest } = rule
  const name = kindName(kind)
  const byPerson = proofOf(kind) === 'person'
  return (
    <FormDialog
      title={`告警规则：${alarmKind.show(kind).label}`}
      route={alarmCenter.saveRule}
      columns={2}
      size={780}
      initial={{ ...rest, threshold: threshold ?? undefined, minutes: minutes ?? undefined }}
      toBody={(values) =>
        ({ holdDownMin: rule.holdDownMin, ...values, ...whose, kind }) as unknown as BodyOf<typeof alarmCenter.saveRule>
      }
      refresh={[alarmCenter.rules]}
      onClose={onClose}
    >
      <SwitchField name="enabled" label="启用" />
      <SelectField name="severity" label="级别" options={alarmSeverity.options} />
      <RuleNumber name="threshold" of={ruleThreshold[name]} />
      <RuleNumber name="minutes" of={ruleMinutes[name]} />
      {!byPerson && (
        <NumberField
          name="holdDownMin"
          label="恢复保持（分钟）"
          help="恢复正常后须保持这么久才自动关闭；期间再次发生只累计次数"
          min={0}
          max={1440}
        />
      )}
      <SwitchField name="opensTicket" label="自动创建工单" />
      <SwitchField name="recovers" label="自动尝试恢复" />
      <SelectField
        name="notifyTypes"
        label="站内通知"
        wide
        help="仅通知有告警中心权限、且能看到该设备的人员"
        mode="multiple"
        options={userType.options}
      />
      <SelectField
        name="smsTypes"
        label="短信通知"
        wide
        help="同一人五分钟内最多一条"
        mode="multiple"
        options={userType.options}
      />
    </FormDialog>
  )
}

type NumberProps = { name: string; of: { label: string; unit: string; min: number; max: number } | undefined }
const RuleNumber = ({ name, of }: NumberProps) =>
  of === undefined ? null : (
    <NumberField name={name} label={`${of.label}（${of.unit}）`} required min={of.min} max={of.max} />
  )
