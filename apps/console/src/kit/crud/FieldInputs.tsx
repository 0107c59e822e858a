import type { Field as DeclaredField, Fields } from '@wattdeck/contract/kit/fields.ts'
import { Input, InputNumber, Select } from 'antd'
import { Fragment, type ReactNode } from 'react'
import { DayPicker } from '../form/DayPicker.tsx'
import { Field } from '../form/Field.tsx'
import { FormSection } from '../form/FormSection.tsx'

type Change = { help?: string; input?: ReactNode }
/** Overrides help text or input of a field, by its name. */
export type InputChanges = Readonly<Record<string, Change>>

type Props = {
  fields: Fields
  names: readonly string[]
  /** The edited row; undefined for a new one. */
  row?: object | undefined
  changes?: InputChanges | undefined
}

/** Inputs for the named fields of a list declaration. */
export const FieldInputs = ({ fields, names, row, changes }: Props) => {
  const values = new Map<string, unknown>(Object.entries(row ?? {}))
  return names.map((name) => (
    <FieldInput key={name} name={name} field={fields[name]} value={values.get(name)} change={changes?.[name]} />
  ))
}

/** Initial form values of a row, without empty and masked fields. */
export const rowValues = (row: object, masked: readonly string[]) =>
  Object.fromEntries(Object.entries(row).filter(([name, value]) => value !== null && !masked.includes(name)))

type InputProps = { name: string; field: DeclaredField | undefined; value: unknown; change: Change | undefined }

function FieldInput({ name, field, value, change }: InputProps) {
  if (field === undefined) return null
  const { kind, title, unit, help, section } = field
  return (
    <Fragment>
      {section !== undefined && <FormSection title={section} />}
      <Field
        name={name}
        label={unit === undefined ? title : `${title}（${unit}）`}
        choose={kind === 'code' || kind === 'day'}
        wide={kind === 'lines'}
        help={change?.help ?? help}
      >
        {change?.input ?? inputOf(field, value)}
      </Field>
    </Fragment>
  )
}

function inputOf({ kind, codes, range }: DeclaredField, value: unknown): ReactNode {
  if (kind === 'phone')
    return (
      <Input
        inputMode="tel"
        autoComplete="off"
        {...(value ? { placeholder: `${value as string}，留空则不修改` } : {})}
      />
    )
  if (codes !== undefined) return <Select allowClear options={[...codes.options]} />
  if (kind === 'lines') return <Input.TextArea autoSize={{ minRows: 2, maxRows: 8 }} />
  if (kind === 'day') return <DayPicker />
  if (kind === 'money') return <Input prefix="¥" inputMode="decimal" autoComplete="off" />
  if (kind !== 'number') return <Input autoComplete="off" />
  const [min, max] = range ?? []
  return (
    <InputNumber
      {...(min === undefined ? {} : { min })}
      {...(max === undefined ? {} : { max })}
      precision={0}
      style={{ width: '100%' }}
    />
  )
}
