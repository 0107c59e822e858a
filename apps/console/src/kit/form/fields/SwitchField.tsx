import { Switch } from 'antd'
import { Field, type FieldProps } from '../Field.tsx'

/** A field that is on or off. */
export const SwitchField = ({ name, label, help, required, wide }: FieldProps) => (
  <Field name={name} label={label} choose help={help} required={required} wide={wide} valuePropName="checked">
    <Switch />
  </Field>
)
