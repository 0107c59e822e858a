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
import { InputNumber, Select, Switch } from 'antd'
import { Field } from '../../../kit/form/Field.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'

type Props = { rule: AlarmRule; whose: { organiseId?: string }; onClose: () => void }
const full = { width: '100%' }

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
      <Field name="enabled" label="启用" valuePropName="checked">
        <Switch />
      </Field>
      <Field name="severity" label="级别" choose>
        <Select options={alarmSeverity.options} />
      </Field>
      <NumberField name="threshold" of={ruleThreshold[name]} />
      <NumberField name="minutes" of={ruleMinutes[name]} />
      {!byPerson && (
        <Field
          name="holdDownMin"
          label="恢复保持（分钟）"
          help="恢复正常后须保持这么久才自动关闭；期间再次发生只累计次数"
        >
          <InputNumber min={0} max={1440} precision={0} style={full} />
        </Field>
      )}
      <Field name="opensTicket" label="自动创建工单" valuePropName="checked">
        <Switch />
      </Field>
      <Field name="recovers" label="自动尝试恢复" valuePropName="checked">
        <Switch />
      </Field>
      <Field name="notifyTypes" label="站内通知" choose wide help="仅通知有告警中心权限、且能看到该设备的人员">
        <Select mode="multiple" options={userType.options} />
      </Field>
      <Field name="smsTypes" label="短信通知" choose wide help="同一人五分钟内最多一条">
        <Select mode="multiple" options={userType.options} />
      </Field>
    </FormDialog>
  )
}

type NumberProps = { name: string; of: { label: string; unit: string; min: number; max: number } | undefined }
const NumberField = ({ name, of }: NumberProps) =>
  of === undefined ? null : (
    <Field name={name} label={`${of.label}（${of.unit}）`} required>
      <InputNumber min={of.min} max={of.max} precision={0} style={full} />
    </Field>
  )
