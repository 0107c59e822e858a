import { enabledStatus } from '../common.ts'
import { z } from 'zod'
import { type Fields, formOf, rowOf } from './fields.ts'
import { page, PageQuery } from './page.ts'
import { type Action, type AnyRoute, done, get, post } from './route.ts'
import { id, keyword, row } from './wire.ts'

/** Filters of a list. `keyword` searches the fields of `contains` anywhere and those of `begins` at their start. */
export type CrudFilter<F extends Fields = Fields> = {
  keyword?: { label: string; contains?: readonly (keyof F & string)[]; begins?: readonly (keyof F & string)[] }
  exact?: readonly (keyof F & string)[]
}

export type CrudSpec<F extends Fields = Fields> = {
  menu: string
  /** Name of the screen in the audit log. */
  module: string
  /** Name of one record: 协议. */
  noun: string
  /** Only the platform's own staff may change rows. */
  platform?: true
  fields: F
  filter: CrudFilter<F>
  /** Fields of both forms. */
  form: readonly (keyof F & string)[]
  /** Fields that only the form of a new row has. */
  addForm: readonly (keyof F & string)[]
}

type Required<S> = S extends z.ZodOptional<infer I> ? I : S
type ExactShape<F extends Fields, Q> = Q extends { exact: readonly (infer K)[] }
  ? { [P in K & keyof F]: z.ZodOptional<Required<F[P]['in']> & z.ZodType> }
  : unknown
type KeywordShape<Q> = Q extends { keyword: object } ? { keyword: z.ZodOptional<typeof keyword> } : unknown
type Flat<T> = { [K in keyof T]: T[K] extends z.ZodType ? T[K] : never }
type QueryShape<F extends Fields, Q> = Flat<typeof PageQuery.shape & ExactShape<F, Q> & KeywordShape<Q>>

function queryOf<F extends Fields, const Q extends CrudFilter<F>>(fields: F, filter: Q) {
  const exact = (filter.exact ?? []).map((name) => [name, withoutOptional(fields[name]?.in).optional()])
  const shape = {
    ...PageQuery.shape,
    ...(filter.keyword === undefined ? {} : { keyword: keyword.optional() }),
    ...(Object.fromEntries(exact) as Record<string, z.ZodType>),
  }
  return row(shape as unknown as QueryShape<F, Q>)
}

const withoutOptional = (schema: z.ZodType | undefined): z.ZodType =>
  schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : (schema ?? z.never())

/**
 * A plain list of records: its routes from one declaration of the fields. The server implements them by `crudHandlers`,
 * the console shows them by `useCrud`. A feature with more routes spreads `routes` into its own.
 */
export function defineCrud<
  F extends Fields,
  const Q extends CrudFilter<F>,
  const E extends readonly (keyof F & string)[],
  const A extends readonly (keyof F & string)[],
>(path: string, spec: CrudSpec<F> & { filter: Q; form: E; addForm: A }) {
  const { menu, module, noun, fields } = spec
  const access = (action: Action) => ({ menu, action, ...(spec.platform ? { platform: true as const } : {}) })
  const audit = (does: string) => ({ module, does: `${does}${noun}` })
  const form = formOf<F, E[number]>(fields, spec.form)
  const addForm = formOf<F, A[number]>(fields, spec.addForm)
  const routes = {
    list: get(`${path}/pageList`, { access: { menu }, query: queryOf(fields, spec.filter), data: page(rowOf(fields)) }),
    add: post(`${path}/save`, {
      access: access('add'),
      audit: audit('新增'),
      idempotent: true,
      body: row({ ...addForm, ...form }),
      data: row({ id: z.string() }),
    }),
    edit: post(`${path}/update`, {
      access: access('edit'),
      audit: audit('编辑'),
      body: row({ id, ...form }),
      data: done,
    }),
    toggle: post(`${path}/toggle`, {
      access: access('edit'),
      audit: audit('启停'),
      body: row({ id, status: enabledStatus.wire }),
      data: done,
    }),
    remove: post(`${path}/delete`, { access: access('delete'), audit: audit('删除'), body: row({ id }), data: done }),
  }
  return { ...spec, routes }
}

/** Any list of `defineCrud`. */
export type Crud = CrudSpec & { routes: Record<'list' | 'add' | 'edit' | 'toggle' | 'remove', AnyRoute> }
