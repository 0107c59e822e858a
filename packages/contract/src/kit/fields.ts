import { z } from 'zod'
import type { PersonalClass } from '@wattdeck/domain/masks.ts'
import type { Tone } from './codes.ts'
import type { ObjectRef } from './object-kinds.ts'
import { personal } from './personal.ts'
import { date, lines, money, phone, row, text, time, whole, yuan } from './wire.ts'

/** The labels of a code table that a list and a form need. */
export type CodeLabels = {
  options: readonly { value: number | string; label: string }[]
  show: (value: never) => { label: string; tone?: Tone }
}
type CodeTable<S extends z.ZodType, W extends z.ZodType> = CodeLabels & { schema: S; wire: W }

/** How a list and a file render a field. `data` is rendered by neither; `derived` is not part of the row. */
export type FieldKind =
  | 'text'
  | 'id'
  | 'phone'
  | 'lines'
  | 'number'
  | 'money'
  | 'time'
  | 'day'
  | 'code'
  | 'codes'
  | 'derived'
  | 'names'
  | 'flag'
  | 'owner'
  | 'data'

type Options = {
  /** The row may lack it: null in a reply, absent in a form. 'form': only a form may omit it. */
  optional?: boolean | 'form'
  width?: number
  /** Hidden in a list until the user selects it. */
  hidden?: boolean
  unit?: string
  /** The value must be unique among the rows. */
  unique?: boolean
  /** Help text under the input. */
  help?: string
  /** Starts a section of the form with this heading. */
  section?: string
  /** The initial value in the form of a new row. */
  initial?: number | string
  /** The object that the field names; a list renders it as a link. */
  object?: ObjectRef
  /** Description in the API document. */
  about?: string
}

/** A text derived from other fields of a row; a decimal becomes a number in a file. */
export type Derived = string | { decimal: string } | null

/** One field of a record: `out` is its schema in a reply, `in` its schema in a form. */
export type Field<Out extends z.ZodType = z.ZodType, In extends z.ZodType = z.ZodType> = Omit<
  Options,
  'optional' | 'about'
> & {
  kind: FieldKind
  title: string
  out: Out
  in: In
  codes?: CodeLabels
  /** The text of a value that is neither text nor number, in a list and a file. */
  format?: Format
  /** Computes a derived field from the row. */
  derive?: (row: never) => Derived
  /** Minimum and maximum of an integer. */
  range?: readonly [min: number, max: number]
}
export type Fields = Readonly<Record<string, Field>>

type OutOf<S extends z.ZodType, O> = O extends { optional: true } ? z.ZodNullable<S> : S
type InOf<S extends z.ZodType, O> = O extends { optional: true | 'form' } ? z.ZodOptional<S> : S

function field<S extends z.ZodType, I extends z.ZodType, const O extends Options>(
  kind: FieldKind,
  title: string,
  schemas: { out: S; in: I },
  options: O,
): Field<OutOf<S, O>, InOf<I, O>> {
  const { optional = false, about, ...look }: Options = options
  const value = optional === true ? schemas.out.nullable() : schemas.out
  const out = about === undefined ? value : value.describe(about)
  const input = optional === false ? schemas.in : schemas.in.optional()
  return { kind, title, ...look, out: out as OutOf<S, O>, in: input as unknown as InOf<I, O> }
}

const none: Options = {}
type None = { optional?: false }
type PhoneOptions<O> = O extends { optional: false } ? O : { optional: true }
const noForm = z.never()
type Format = (value: never) => string

/** Declares fields. The title is the column heading and the field name in validation messages. */
export const f = {
  text: <const O extends Options = None>(title: string, max: number, options?: O) =>
    field('text', title, { out: z.string(), in: text(max, title) }, (options ?? none) as O),
  /** A code or number that users copy. */
  id: <I extends z.ZodType, const O extends Options = None>(title: string, input: I, options?: O) =>
    field('id', title, { out: z.string(), in: input }, (options ?? none) as O),
  lines: <const O extends Options = None>(title: string, max: number, options?: O) =>
    field('lines', title, { out: z.string(), in: lines(max, title) }, (options ?? none) as O),
  whole: <const O extends Options = None>(title: string, min: number, max: number, options?: O) => ({
    ...field('number', title, { out: z.int(), in: whole(min, max) }, (options ?? none) as O),
    range: [min, max] as const,
  }),
  code: <S extends z.ZodType, W extends z.ZodType, const O extends Options = None>(
    title: string,
    table: CodeTable<S, W>,
    options?: O,
  ) => ({
    ...field('code', title, { out: table.schema, in: table.wire }, (options ?? none) as O),
    codes: table as CodeLabels,
  }),
  /** Several codes of one table. */
  codes: <C extends z.ZodType, const O extends Options = None>(
    title: string,
    table: CodeTable<C, z.ZodType>,
    options?: O,
  ) => ({
    ...field('codes', title, { out: z.array(table.schema), in: noForm }, (options ?? none) as O),
    codes: table as CodeLabels,
  }),
  /** Fen in the column `<name>_fen`, yuan in a reply and in a form. */
  money: <const O extends Options = None>(title: string, options?: O) =>
    field('money', title, { out: money, in: yuan }, (options ?? none) as O),
  day: <const O extends Options = None>(title: string, options?: O) =>
    field('day', title, { out: date, in: date }, (options ?? none) as O),
  /** Set by the server; no form contains it. */
  shown: <const O extends Options = None>(title: string, options?: O) =>
    field('text', title, { out: z.string(), in: noForm }, (options ?? none) as O),
  /** A number assigned by the server that users copy. */
  no: <const O extends Options = None>(title: string, options?: O) =>
    field('id', title, { out: z.string(), in: noForm }, (options ?? none) as O),
  time: <const O extends Options = None>(title: string, options?: O) =>
    field('time', title, { out: time, in: noForm }, (options ?? none) as O),
  flag: <const O extends Options = None>(title: string, options?: O) =>
    field('flag', title, { out: z.boolean(), in: noForm }, (options ?? none) as O),
  /** The phone of a person: masked in every reply. A form that omits it does not change it. */
  phone: <const O extends Omit<Options, 'optional'> & { optional?: false } = object>(title: string, options?: O) =>
    field('phone', title, { out: personal('phone'), in: phone }, { optional: true, ...options } as PhoneOptions<O>),
  /** Personal data: masked in every reply. */
  person: <const O extends Options = None>(title: string, of: PersonalClass, options?: O) =>
    field('text', title, { out: personal(of), in: noForm }, (options ?? none) as O),
  /** A value that the page needs but does not render. */
  data: <S extends z.ZodType>(schema: S) => field('data', '', { out: schema, in: noForm }, none as None),
  /** A value of any type, with its text in a list and in a file. */
  value: <S extends z.ZodType, const O extends Options = None>(
    title: string,
    schema: S,
    format: (value: z.output<S>) => string,
    options?: O,
  ) => ({ ...field('text', title, { out: schema, in: noForm }, (options ?? none) as O), format: format as Format }),
  /** Computed from other fields; the row has no field of this name. */
  derived: (title: string, derive: (row: never) => Derived, options: Omit<Options, 'optional'> = none) => ({
    ...field('derived', title, { out: noForm, in: noForm }, options),
    derive,
  }),
  /** A number set by the server. */
  count: <const O extends Options = None>(title: string, options?: O) =>
    field('number', title, { out: z.int(), in: noForm }, (options ?? none) as O),
  names: (title: string, options: Options = none) => ({
    ...field('names', title, { out: z.array(z.string()), in: noForm }, options),
  }),
  /** The owner of the row. A list shows each level to users who see more than one owner of it. */
  owner: {
    organiseName: {
      ...field(
        'owner',
        '所属机构',
        { out: z.string(), in: noForm },
        { object: { kind: 'organise', id: 'organiseId' } },
      ),
    },
    agentName: { ...field('owner', '所属代理商', { out: z.string(), in: noForm }, { optional: true }) },
    siteName: {
      ...field(
        'owner',
        '所属站点',
        { out: z.string(), in: noForm },
        { optional: true, object: { kind: 'site', id: 'siteId' } },
      ),
    },
    organiseId: { ...field('data', '', { out: z.string(), in: noForm }, none as None) },
    siteId: { ...field('data', '', { out: z.string(), in: noForm }, { optional: true }) },
  },
  /** The same as ids, for the page. */
  ownerIds: {
    organiseId: { ...field('data', '', { out: z.string(), in: noForm }, none as None) },
    agentId: { ...field('data', '', { out: z.string(), in: noForm }, { optional: true }) },
    siteId: { ...field('data', '', { out: z.string(), in: noForm }, { optional: true }) },
  },
  /** Region codes of the row, for the page. */
  regionCodes: {
    provinceCode: { ...field('data', '', { out: z.string(), in: noForm }, { optional: true }) },
    cityCode: { ...field('data', '', { out: z.string(), in: noForm }, { optional: true }) },
    districtCode: { ...field('data', '', { out: z.string(), in: noForm }, { optional: true }) },
  },
  /** Creator and creation time of the row; hidden in lists. */
  audit: {
    createdBy: {
      ...field('text', '创建人', { out: z.string(), in: noForm }, { optional: true, width: 110, hidden: true }),
    },
    createdAt: {
      ...field('time', '创建时间', { out: time, in: noForm }, { width: 180, hidden: true }),
    },
    updatedAt: {
      ...field('time', '更新时间', { out: time, in: noForm }, { width: 180, hidden: true }),
    },
  },
}

type RowShape<F extends Fields> = { id: z.ZodString } & {
  [K in keyof F as F[K]['out'] extends z.ZodNever ? never : K]: F[K]['out']
}

/** The schema of a row with these fields, in a reply. */
export const rowOf = <F extends Fields>(fields: F) => {
  const stored = Object.entries(fields).filter(([, { kind }]) => kind !== 'derived')
  const shape = Object.fromEntries(stored.map(([name, { out }]) => [name, out]))
  return row({ id: z.string(), ...shape } as unknown as RowShape<F>)
}

/** The schemas of some fields in a form. */
export const formOf = <F extends Fields, K extends keyof F & string>(fields: F, names: readonly K[]) =>
  Object.fromEntries(names.map((name) => [name, fields[name]?.in])) as { [P in K]: F[P]['in'] }

/** Names of the fields that a list and a file can render. */
export const shownNames = (fields: Fields): string[] =>
  Object.entries(fields).flatMap(([name, { kind }]) => (kind === 'data' ? [] : [name]))
