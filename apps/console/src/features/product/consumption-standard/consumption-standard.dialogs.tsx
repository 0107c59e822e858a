import { type ConsumptionStandard, consumptionStandard } from '@wattdeck/contract/product/consumption-standard.ts'
import { DatePicker, Form, Radio } from 'antd'
import dayjs from 'dayjs'
import 'dayjs/locale/zh-cn'
import { Field } from '../../../kit/form/Field.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { TextField } from '../../../kit/form/fields/TextField.tsx'

type CopyProps = { row: ConsumptionStandard; onClose: () => void; onDone: (tariff: { id: string }) => void }

export const CopyDialog = ({ row, onClose, onDone }: CopyProps) => (
  <FormDialog
    title={`复制消费标准：${row.name}`}
    route={consumptionStandard.copy}
    okText="复制"
    initial={{ name: `${row.name.slice(0, 36)}-副本` }}
    toBody={({ name }) => ({ id: row.id, name: name as string })}
    refresh={[consumptionStandard.list]}
    onClose={onClose}
    onDone={onDone}
  >
    <TextField name="name" label="名称" maxLength={40} />
  </FormDialog>
)

dayjs.locale('zh-cn')
const format = 'YYYY-MM-DD HH:mm'
type PickerProps = { id?: string; value?: string; onChange?: (moment: string | undefined) => void }
/** A time to the minute, as text in the form and on the wire. */
const MomentPicker = ({ id, value, onChange }: PickerProps) => (
  <DatePicker
    {...(id ? { id } : {})}
    style={{ width: '100%' }}
    showTime={{ format: 'HH:mm' }}
    format={format}
    value={value ? dayjs(value) : null}
    onChange={(moment) => onChange?.(moment?.format(format))}
  />
)

type PublishProps = { id: string; name: string; versionId: string; no: number; onClose: () => void }
type When = 'now' | 'later'

export function PublishDialog({ id, name, versionId, no, onClose }: PublishProps) {
  return (
    <FormDialog
      title={`发布「${name}」第 ${no} 版`}
      route={consumptionStandard.publish}
      okText="发布"
      initial={{ when: 'now' satisfies When }}
      toBody={({ when, effectiveAt }) =>
        when === 'later' ? { id, versionId, effectiveAt: effectiveAt as string } : { id, versionId }
      }
      refresh={[consumptionStandard.list, consumptionStandard.read, consumptionStandard.versions]}
      onClose={onClose}
    >
      <Form.Item name="when" label="生效方式">
        <Radio.Group
          options={[
            { value: 'now', label: '立即生效' },
            { value: 'later', label: '定时生效' },
          ]}
        />
      </Form.Item>
      <Form.Item noStyle dependencies={['when']}>
        {({ getFieldValue }) =>
          (getFieldValue('when') as When) === 'later' && (
            <Field name="effectiveAt" label="生效时间" choose required>
              <MomentPicker />
            </Field>
          )
        }
      </Form.Item>
      <p className="meta">生效后开始的充电按新价格计费；正在进行的充电仍按开始时的价格计费。</p>
    </FormDialog>
  )
}
