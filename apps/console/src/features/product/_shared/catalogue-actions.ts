import type { enabledStatus } from '@wattdeck/contract/common.ts'
import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { toggleOf } from '../../../kit/list/enabled-toggle.ts'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import { useConfirmedSubmit, removal } from '../../../kit/form/use-confirm.ts'

type Row = { id: string; status: (typeof enabledStatus.options)[number]['value'] }
type Routes = { toggle: AnyRoute; remove: AnyRoute; refresh: readonly AnyRoute[] }
type Words = {
  /** What the row is called in questions. */
  what: string
  /** What disabling means for those who use it. */
  stopped: string
  /** Why it cannot be removed. */
  used?: string | undefined
}

/** 启停 and 删除 of a row of the catalogue, which work the same everywhere in it. */
export function useRowChanges({ toggle, remove, refresh }: Routes) {
  const askToggle = useConfirmedSubmit(toggle, { refresh })
  const askRemove = useConfirmedSubmit(remove, { refresh })
  return ({ id, status }: Row, { what, stopped, used }: Words): RowAction[] => {
    const next = toggleOf(status, what, stopped)
    return [
      {
        label: next.label,
        route: toggle,
        onClick: () => askToggle(next.question, { body: { id, status: next.status } }),
      },
      {
        label: '删除',
        route: remove,
        danger: true,
        disabled: used,
        onClick: () => askRemove(removal(what), { body: { id } }),
      },
    ]
  }
}

/** The fields of a row that a form begins with; what is empty is left out. */
export const initialOf = (row: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))
