import type { enabledStatus } from '@wattdeck/contract/common.ts'
import type { Crud } from '@wattdeck/contract/kit/crud.ts'
import type { PersonalKind } from '@wattdeck/contract/auth/session.ts'
import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import type { RowOf } from '../api/queries.ts'
import { useConfirmedSubmit, removal } from '../form/use-confirm.ts'
import { toggleOf } from '../list/enabled-toggle.ts'
import type { RowAction } from '../list/RowActions.tsx'
import { MainButton } from './MainButton.tsx'
import type { ColumnChanges } from './field-columns.tsx'
import { useFieldList } from './use-field-list.ts'
import { useOpen } from '../form/use-return-focus.ts'

type Row = { id: string; status: (typeof enabledStatus.options)[number]['value'] }

type Options<R> = {
  nameOf: (row: R) => string
  columns?: ColumnChanges<R>
  /** The kind of record that the phone numbers belong to; needed to unmask them. */
  personal?: PersonalKind
  /** The consequence of disabling a row, for the confirmation. */
  disableWarning: string
  /** Why a row cannot be removed. */
  removeProblem?: (row: R) => string | undefined
  /** Actions between 编辑 and 停用. */
  actions?: (row: R) => RowAction[]
  /** Routes to refetch after a change, besides the list. */
  refresh?: readonly AnyRoute[]
}

const kebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/**
 * Returns `list` for the `ListPage` of a plain list, and `dialog` for `CrudDialog` while a row is added or edited.
 */
export function useCrud<C extends Crud>(crud: C, options: Options<RowOf<C['routes']['list']> & Row>) {
  type R = RowOf<C['routes']['list']> & Row
  const { routes, noun } = crud
  const refresh = [routes.list, ...(options.refresh ?? [])]
  const fieldList = useFieldList(crud, {
    listKey: kebab(crud.name),
    liveKey: crud.name,
    personal: options.personal,
    columns: (options.columns ?? {}) as ColumnChanges<RowOf<C['routes']['list']>, keyof C['fields'] & string>,
  })
  const [editing, setEditing, close] = useOpen<R | 'new'>()
  const toggle = useConfirmedSubmit(routes.toggle, { refresh })
  const remove = useConfirmedSubmit(routes.remove, { refresh })

  function rowActions(row: R): RowAction[] {
    const what = `${noun}「${options.nameOf(row)}」`
    const next = toggleOf(row.status, what, options.disableWarning)
    return [
      { label: '编辑', route: routes.edit, onClick: () => setEditing(row) },
      ...(options.actions?.(row) ?? []),
      {
        label: next.label,
        route: routes.toggle,
        onClick: () => toggle(next.question, { body: { id: row.id, status: next.status } }),
      },
      {
        label: '删除',
        route: routes.remove,
        danger: true,
        disabled: options.removeProblem?.(row),
        onClick: () => remove(removal(what), { body: { id: row.id } }),
      },
    ]
  }
  const addButton = <MainButton route={routes.add} label={`新增${noun}`} onClick={() => setEditing('new')} />
  const list = {
    ...fieldList,
    nameOf: options.nameOf,
    actions: addButton,
    emptyAction: addButton,
    rowActions,
  }
  const dialog = editing && {
    crud,
    row: editing === 'new' ? undefined : editing,
    title: editing === 'new' ? `新增${noun}` : `编辑${noun}：${options.nameOf(editing)}`,
    refresh,
    onClose: close,
  }
  return { list, dialog }
}
