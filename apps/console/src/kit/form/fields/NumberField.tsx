import { InputNumber, type InputNumberProps } from 'antd'
import { Field, type FieldProps } from '../Field.tsx'

type Props = FieldProps & Omit<InputNumberProps, keyof FieldProps>

/** A field for a whole number. */
export const NumberField = ({ name, label, help, required, wide, ...input }: Props) => (
  <Field name={name} label={label} help={help} required={required} wide={wide}>
    <InputNumber precision={0} style={{ width: '100%' }} {...input} />
  </Field>
)
