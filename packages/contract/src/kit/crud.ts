import { z } from 'zod'
import { enabledStatus } from '../common.ts'
import { type MenuName, menus } from '../menu-keys.ts'
import { type Fields, formOf } from './fields.ts'
import { defineList, type ListFilter, type ListSpec } from './list.ts'
import { type Action, type AnyRoute, done, post } from './route.ts'
import { id, row } from './wire.ts'

export type CrudSpec<F extends Fields = Fields> = Omit<ListSpec<F>, 'menu' | 'module' | 'at' | 'params' | 'action'> & {
  /** The menu that opens the screen. Its title is the name of the screen, also in the audit log. */
  name: MenuName
  /** Name of one record: 协议. */
  noun: string
  /** Fields of both forms. */
  form: readonly (keyof F & string)[]
  /** Fields that only the form of a new row has. */
  addForm: readonly (keyof F & string)[]
}

/**
 * A plain list of records: its routes from one declaration of the fields. The server implements them by `crudHandlers`,
 * the console shows them by `useCrud`. A feature with more routes spreads `routes` into its own.
 */
export function defineCrud<
  F extends Fields,
  const Q extends ListFilter<F>,
  const E extends readonly (keyof F & string)[],
  const A extends readonly (keyof F & string)[],
  const X extends boolean = false,
>(path: string, spec: CrudSpec<F> & { filter: Q; form: E; addForm: A; exports?: X }) {
  const { key: menu, title: module } = menus[spec.name]
  const { noun, fields } = spec
  const access = (action: Action) => ({
    menu,
    action,
    ...(spec.platform === undefined ? {} : { platform: true as const }),
  })
  const audit = (does: string) => ({ module, does: `${does}${noun}` })
  const form = formOf<F, E[number]>(fields, spec.form)
  const addForm = formOf<F, A[number]>(fields, spec.addForm)
  const routes = {
    ...defineList<F, Q, X>(path, { ...spec, menu, module }).routes,
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
  return { ...spec, menu, module, routes }
}

/** Any list of `defineCrud`. */
export type Crud = CrudSpec & {
  menu: string
  module: string
  routes: Record<'list' | 'add' | 'edit' | 'toggle' | 'remove', AnyRoute> & { exportList?: AnyRoute }
}
