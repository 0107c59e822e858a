import type { Field, Fields } from '@wattdeck/contract/kit/fields.ts'
import type { ObjectRef } from '@wattdeck/contract/kit/object-kinds.ts'
import type { PersonalKind } from '@wattdeck/contract/auth/session.ts'
import type { ReactNode } from 'react'
import * as cells from '../display/cells.tsx'
import { CopyId } from '../display/CopyId.tsx'
import { MaskedText } from '../display/MaskedText.tsx'
import type { Column } from '../list/columns.ts'
import { ObjectLink } from '../objects/ObjectLink.tsx'

type Change<R> = Partial<Omit<Column<R>, 'key'>>
/** `K`: names of derived fields, which the row does not have. */
export type ColumnChanges<R, K extends string = never> = Readonly<
  Partial<Record<(keyof R & string) | K, Change<R> | false>>
>

/** Columns of a list from the fields of its rows. A page overrides a column by its key, or drops it with `false`. */
export function fieldColumns<R extends object>(
  fields: Fields,
  owners: readonly Column<R>[],
  { personal, changes }: { personal?: PersonalKind; changes?: ColumnChanges<R> },
): Column<R>[] {
  const [first] = Object.keys(fields)
  const state = Object.keys(fields).find((name) => isState(fields[name]))
  return Object.entries(fields).flatMap(([name, field]): Column<R>[] => {
    const change = changes?.[name as keyof R & string]
    if (change === false || field.kind === 'data') return []
    if (field.kind === 'owner')
      return owners.filter(({ key }) => key === name).map((owner) => ({ ...owner, ...change }))
    const render = (row: R) =>
      renderField(field, valueOf(field, name, row), { kind: personal, id: idOf(row), field: name })
    return [
      {
        key: name,
        title: field.title,
        render,
        ...(field.width === undefined ? {} : { width: field.width }),
        soft: isSoft(field),
        ...(field.hidden === undefined ? {} : { hidden: field.hidden }),
        ...(field.kind === 'number' || field.kind === 'money' ? { align: 'end' as const } : {}),
        ...(name === first ? { fixed: 'start' as const } : {}),
        ...(name === state ? { card: 'tag' as const } : {}),
        ...change,
        ...(field.object === undefined ? {} : { render: linked(field.object, change?.render ?? render) }),
      },
    ]
  })
}

/** Links the cell to its object, also when the page overrides the rendering. */
const linked =
  <R extends object>({ kind, id }: ObjectRef, render: Column<R>['render']): Column<R>['render'] =>
  (row) => (
    <ObjectLink kind={kind} id={row[id as keyof R] as string | null}>
      {render(row)}
    </ObjectLink>
  )

const texts: ReadonlySet<Field['kind']> = new Set(['text', 'lines', 'names', 'derived'])
/** The name of an object may be a number, which is useless when truncated. */
const isSoft = ({ kind, object }: Field) => kind === 'owner' || (texts.has(kind) && object === undefined)

/** A code whose options have tones is a state. */
const isState = (field: Field | undefined): boolean =>
  field?.codes?.options.some(({ value }) => field.codes?.show(value as never).tone !== undefined) ?? false

function valueOf(field: Field, name: string, row: object): unknown {
  if (field.derive === undefined) return row[name as keyof typeof row]
  const derived = field.derive(row as never)
  return typeof derived === 'object' ? derived?.decimal : derived
}

type Person = { kind: PersonalKind | undefined; id: string; field: string }
const idOf = (row: object) => ('id' in row ? String(row.id) : '')

function renderField(field: Field, value: unknown, { kind, ...of }: Person): ReactNode {
  if (value === null || value === undefined) return cells.dash
  if (field.kind === 'phone' && kind !== undefined)
    return <MaskedText value={value as string} kind={kind} {...of} what={field.title} />
  if (field.format !== undefined) return cells.text(field.format(value as never))
  if (field.kind === 'id' && field.object === undefined) return <CopyId value={value as string} what={field.title} />
  if (field.kind === 'money') return `¥${value as string}`
  if (field.kind === 'flag') return value === true ? '是' : '否'
  if (field.kind === 'time') return cells.time(value as string)
  if (field.kind === 'names') return cells.names(value as string[])
  if (field.kind === 'number')
    return field.unit === undefined ? cells.count(value as number) : `${cells.count(value as number)} ${field.unit}`
  if (field.kind === 'codes') return cells.names((value as never[]).map((code) => field.codes?.show(code).label ?? ''))
  if (field.codes !== undefined)
    return isState(field) ? cells.status(field.codes, value as never) : cells.label(field.codes, value as never)
  return cells.text(value as string)
}
