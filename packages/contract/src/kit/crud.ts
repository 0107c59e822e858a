import { enabledStatus } from '../common.ts'
import { type MenuName, menus } from '../menu-keys.ts'
import { type Fields, formOf } from './fields.ts'
import { defineList, type ListFilter, type ListSpec } from './list.ts'
import type { AnyRoute } from './route.ts'
import { screenRoutes } from './screen-routes.ts'
import { id } from './wire.ts'

export type CrudSpec<F extends Fields = Fields> = Omit<
  ListSpec<F>,
  'menu' | 'module' | 'at' | 'params' | 'action' | 'sorts'
> & {
  /** The menu of the screen. Its title is the name of the screen, also in the audit log. */
  name: MenuName
  /** Name of one record: 协议. */
  noun: string
  /** Fields of both forms. */
  form: readonly (keyof F & string)[]
  /** Fields that exist only in the form of a new row. */
  addForm: readonly (keyof F & string)[]
}

/**
 * A plain list of records: its routes from one declaration of the fields. The server implements them by `crudHandlers`;
 * the console renders them by `useCrud`. A feature with more routes spreads `routes` into its own.
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
  const { change, create, remove } = screenRoutes({ menu, module, ...(spec.platform && { platform: true }) })
  const form = formOf<F, E[number]>(fields, spec.form)
  const addForm = formOf<F, A[number]>(fields, spec.addForm)
  const routes = {
    ...defineList<F, Q, X>(path, { ...spec, menu, module }).routes,
    add: create(`${path}/save`, `新增${noun}`, { ...addForm, ...form }),
    edit: change(`${path}/update`, `编辑${noun}`, { id, ...form }),
    toggle: change(`${path}/toggle`, `启停${noun}`, { id, status: enabledStatus.wire }),
    remove: remove(`${path}/delete`, `删除${noun}`),
  }
  return { ...spec, menu, module, routes }
}

/** Any list of `defineCrud`. */
export type Crud = CrudSpec & {
  menu: string
  module: string
  routes: Record<'list' | 'add' | 'edit' | 'toggle' | 'remove', AnyRoute> & { exportList?: AnyRoute }
}
