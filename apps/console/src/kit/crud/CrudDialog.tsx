import type { Crud } from '@wattdeck/contract/kit/crud.ts'
import type { Field as DeclaredField } from '@wattdeck/contract/kit/fields.ts'
import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { Input, InputNumber, Select } from 'antd'
import { Fragment, type ReactNode } from 'react'
import { DayPicker } from '../form/DayPicker.tsx'
import { Field } from '../form/Field.tsx'
import { FormDialog } from '../form/FormDialog.tsx'
import { FormSection } from '../form/FormSection.tsx'

type Change = { help?: string; input?: ReactNode }
type Props = {
  crud: Crud
  /** The row that is edited; none for a new one. */
  row: Readonly<Record<string, unknown>> | undefined
  title: string
  refresh: readonly AnyRoute[]
  onClose: () => void
  /** Another help text or input for a field, by its name. */
  changes?: Readonly<Record<string, Change>>
}

/** The form of a row of `defineCrud`, in the order of its fields there. */
export function CrudDialog({ crud, row, title, refresh, onClose, changes }: Props) {
  const { fields, form, routes } = crud
  const names = row === undefined ? [...crud.addForm, ...form] : form
  const first = names.flatMap((name) => {
    const value = row === undefined ? fields[name]?.initial : row[name]
    // What is masked cannot be sent back: it is typed anew, or left as it is.
    if (fields[name]?.kind === 'phone') return []
    return value === null || value === undefined ? [] : [[name, value] as const]
  })
  const isLong = names.length > 6
  return (
    <FormDialog
      title={title}
      size={isLong ? 780 : 680}
      columns={isLong ? 2 : 1}
      route={row === undefined ? routes.add : routes.edit}
      initial={Object.fromEntries(first)}
      toBody={(values) => (row === undefined ? values : { ...values, id: row['id'] }) as never}
      refresh={refresh}
      onClose={onClose}
    >
      {names.map((name) => (
        <FieldInput key={name} name={name} field={fields[name]} value={row?.[name]} change={changes?.[name]} />
      ))}
    </FormDialog>
  )
}

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
