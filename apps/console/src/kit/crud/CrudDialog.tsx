import type { Crud } from '@wattdeck/contract/kit/crud.ts'
import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { FormDialog } from '../form/FormDialog.tsx'
import { FieldInputs, type InputChanges } from './FieldInputs.tsx'

type Props = {
  crud: Crud
  /** The edited row; undefined for a new one. */
  row: Readonly<Record<string, unknown>> | undefined
  title: string
  refresh: readonly AnyRoute[]
  onClose: () => void
  /** Overrides help text or input of a field, by its name. */
  changes?: InputChanges
}

/** The form of a row of `defineCrud`, in the order of its `addForm` and `form`. */
export function CrudDialog({ crud, row, title, refresh, onClose, changes }: Props) {
  const { fields, form, routes } = crud
  const names = row === undefined ? [...crud.addForm, ...form] : form
  const first = names.flatMap((name) => {
    const value = row === undefined ? fields[name]?.initial : row[name]
    // A masked value cannot be sent back: the user replaces it or leaves the field empty.
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
      <FieldInputs fields={fields} names={names} row={row} changes={changes} />
    </FormDialog>
  )
}
