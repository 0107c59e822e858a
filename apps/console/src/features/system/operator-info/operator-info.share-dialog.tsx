import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { operatorInfo, type Operator } from '@wattdeck/contract/system/operator-info.ts'
import { InputNumber } from 'antd'
import { Field } from '../../../kit/form/Field.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'

/** A share of the income in percent. */
export const ShareField = ({ help }: { help: string }) => (
  <Field name="sharePercent" label="分成比例" help={help}>
    <InputNumber min={0} max={100} precision={2} step={1} suffix="%" style={{ width: 160 }} />
  </Field>
)

type Props = { of: Operator; onClose: () => void }

export const OperatorShareDialog = ({ of, onClose }: Props) => (
  <FormDialog
    title={`分成设置：${of.name}`}
    route={operatorInfo.setShare}
    refresh={[operatorInfo.list]}
    initial={{ sharePercent: of.shareBp / 100 }}
    toBody={(values) => ({ ...values, id: of.id }) as BodyOf<typeof operatorInfo.setShare>}
    onClose={onClose}
  >
    <ShareField help="不能高于上级代理商，也不能低于任何一个下级代理商的分成比例" />
  </FormDialog>
)
