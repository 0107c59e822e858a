import { z } from 'zod'
import { exportList } from './bulk.ts'
import { type CodeLabels, type Fields, rowOf } from './fields.ts'
import { page, PageQuery, sortBy } from './page.ts'
import { type Action, type AnyRoute, get, type Nothing } from './route.ts'
import { adcode, date, id, keyword, row } from './wire.ts'

type Names<F extends Fields> = readonly (keyof F & string)[]
/** Columns of a list in order: a field, and optionally a second one rendered below it. */
export type DefaultColumns<N extends string = string> = readonly (readonly [above: N, below?: N])[]
type OwnerLevel = 'organise' | 'agent' | 'site'

/** The query fields of a filter by region. */
export const regionNames = ['provinceCode', 'cityCode', 'districtCode'] as const

/** Filters of a list, in the order of the page. */
export type ListFilter<F extends Fields = Fields> = {
  /** Substring search in the fields of `contains`, prefix search in those of `begins`. */
  keyword?: { label: string; about?: string; contains?: Names<F>; begins?: Names<F> }
  /** Filters that are not fields; the server defines them. A filter without a title is used only by links. */
  own?: Readonly<Record<string, { title?: string; schema: z.ZodType; codes?: CodeLabels }>>
  exact?: Names<F>
  /** Filters `from` and `to` by this timestamp field. */
  days?: keyof F & string
  owner?: readonly OwnerLevel[]
  /** A filter by province, city and district, with this title. */
  region?: string
  /** A different order on the page, by query names; `owner` and `region` by their own. */
  order?: readonly string[]
}

export type ListSpec<F extends Fields = Fields> = {
  menu: string
  /** Name of the screen, also in the audit log. */
  module: string
  fields: F
  filter: ListFilter<F>
  /** The columns shown by default; the others are hidden until selected. All fields in order when absent. */
  decided?: DefaultColumns<keyof F & string>
  /** Fields that can be sorted at the cost of the list itself; the server names an index for each. */
  sorts?: Names<F>
  /** The list can be exported to a file. */
  exports?: boolean
  /** Path of the list below the path of its routes, if not `/pageList`. */
  at?: string
  /** Ids in the path of the list. */
  params?: z.ZodType
  /** The list requires this action of the menu. */
  action?: Action
  /** Only platform staff may change the rows, or see them at all. */
  platform?: 'changes' | 'only'
  /** Full paths of routes that are not called `pageList` and `export`. */
  paths?: { list?: string; exportList?: string }
}

type Required<S> = S extends z.ZodOptional<infer I> ? I : S
type ExactShape<F extends Fields, Q> = Q extends { exact: readonly (infer K)[] }
  ? { [P in K & keyof F]: z.ZodOptional<Required<F[P]['in']> & z.ZodType> }
  : unknown
type KeywordShape<Q> = Q extends { keyword: object } ? { keyword: z.ZodOptional<typeof keyword> } : unknown
type OwnShape<Q> = Q extends { own: infer O }
  ? { [P in keyof O]: O[P] extends { schema: infer S extends z.ZodType } ? z.ZodOptional<S> : never }
  : unknown
type DaysShape<Q> = Q extends { days: string }
  ? { from: z.ZodOptional<typeof date>; to: z.ZodOptional<typeof date> }
  : unknown
type OwnerShape<Q> = Q extends { owner: readonly (infer L extends string)[] }
  ? { [P in `${L}Id`]: z.ZodOptional<typeof id> }
  : unknown
type RegionShape<Q> = Q extends { region: string }
  ? { [P in (typeof regionNames)[number]]: z.ZodOptional<typeof adcode> }
  : unknown
type SortShape<S extends string> = [S] extends [never] ? unknown : { sort: ReturnType<typeof sortBy<S>> }
type Flat<T> = { [K in keyof T]: T[K] extends z.ZodType ? T[K] : never }
type FilterShape<F extends Fields, Q> = Flat<
  KeywordShape<Q> & OwnShape<Q> & ExactShape<F, Q> & DaysShape<Q> & OwnerShape<Q> & RegionShape<Q>
>

type QueryShape<F extends Fields, Q, S extends string> = Flat<typeof PageQuery.shape & SortShape<S> & FilterShape<F, Q>>

function filterShapeOf<F extends Fields, const Q extends ListFilter<F>>(fields: F, filter: Q): FilterShape<F, Q> {
  const exact = (filter.exact ?? []).map((name) => [name, withoutOptional(fields[name]?.in).optional()])
  const own = Object.entries(filter.own ?? {}).map(([name, { schema }]) => [name, schema.optional()])
  const owner = (filter.owner ?? []).map((level) => [`${level}Id`, id.optional()])
  const region = filter.region === undefined ? [] : regionNames.map((name) => [name, adcode.optional()])
  return {
    ...(filter.keyword === undefined ? {} : { keyword: keywordOf(filter.keyword.about).optional() }),
    ...(Object.fromEntries([...own, ...exact, ...owner, ...region]) as Record<string, z.ZodType>),
    ...(filter.days === undefined ? {} : { from: date.optional(), to: date.optional() }),
  } as unknown as FilterShape<F, Q>
}

const keywordOf = (about: string | undefined) => (about === undefined ? keyword : keyword.describe(about))

const withoutOptional = (schema: z.ZodType | undefined): z.ZodType =>
  schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : (schema ?? z.never())

type Exports<X> = X extends true ? { exportList: ReturnType<typeof exportList> } : unknown

/**
 * A list of records: its query, rows and file from one declaration of the fields. The server reads it by `listQuery`
 * and exports it by `exportOf`; the console renders it by `useFieldList`. A feature with more routes spreads `routes`
 * into its own; `filterShape` is the query of other routes with the same filter.
 */
export function defineList<
  F extends Fields,
  const Q extends ListFilter<F>,
  const X extends boolean = false,
  P extends z.ZodType = Nothing,
  const S extends keyof F & string = never,
>(path: string, spec: ListSpec<F> & { filter: Q; exports?: X; params?: P; sorts?: readonly S[] }) {
  const { menu, module, fields, filter } = spec
  const filterShape = filterShapeOf(fields, filter)
  const by = spec.platform === 'only' ? { platform: true as const } : {}
  const list = get(spec.paths?.list ?? `${path}${spec.at ?? '/pageList'}`, {
    access: { menu, ...(spec.action === undefined ? {} : { action: spec.action }), ...by },
    ...(spec.params === undefined ? {} : { params: spec.params as P }),
    query: row({
      ...PageQuery.shape,
      ...(spec.sorts === undefined ? {} : { sort: sortBy(spec.sorts) }),
      ...filterShape,
    } as unknown as QueryShape<F, Q, S>),
    data: page(rowOf(fields)),
  })
  const routes = {
    list,
    ...(spec.exports === true
      ? { exportList: exportList(spec.paths?.exportList ?? `${path}/export`, { menu, module, ...by }) }
      : {}),
  }
  return { ...spec, filterShape, routes: routes as unknown as { list: typeof list } & Exports<X> }
}

/** Any list of `defineList`. */
export type List = ListSpec & { routes: { list: AnyRoute; exportList?: AnyRoute } }
