import { Input, type InputProps } from 'antd'
import type { TextAreaProps } from 'antd/es/input'
import { Field, type FieldProps } from '../Field.tsx'

type TextProps = FieldProps & Omit<InputProps, keyof FieldProps>

/** A field for one line of text. */
export const TextField = ({ name, label, help, required, wide, ...input }: TextProps) => (
  <Field name={name} label={label} help={help} required={required} wide={wide}>
    <Input autoComplete="off" {...input} />
  </Field>
)

type LinesProps = FieldProps & Omit<TextAreaProps, keyof FieldProps>

/** A field for several lines of text. */
export const LinesField = ({ name, label, help, required, wide, ...input }: LinesProps) => (
  <Field name={name} label={label} help={help} required={required} wide={wide}>
    <Input.TextArea {...input} />
  </Field>
)
