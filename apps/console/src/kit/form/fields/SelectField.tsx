import { Select, type SelectProps } from 'antd'
import { Field, type FieldProps } from '../Field.tsx'

type Props = FieldProps & Omit<SelectProps, keyof FieldProps>

/** A field to choose from a list. */
export const SelectField = ({ name, label, help, required, wide, ...select }: Props) => (
  <Field name={name} label={label} choose help={help} required={required} wide={wide}>
    <Select {...select} />
  </Field>
)
