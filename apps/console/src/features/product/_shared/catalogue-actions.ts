import type { enabledStatus } from '@wattdeck/contract/common.ts'
import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { toggleOf } from '../../../kit/list/enabled-toggle.ts'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import { useConfirmedSubmit, removal } from '../../../kit/form/use-confirm.ts'

type Row = { id: string; status: (typeof enabledStatus.options)[number]['value'] }
type Routes = { toggle: AnyRoute; remove: AnyRoute; refresh: readonly AnyRoute[] }
type Words = {
  /** The name of the row in confirmations. */
  what: string
  /** The effect of disabling on its users. */
  stopped: string
  /** Why it cannot be removed; undefined when it can. */
  used?: string | undefined
}

/** The actions 启停 and 删除, common to all rows of the catalogue. */
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

/** The initial form values of a row; null fields are omitted. */
export const initialOf = (row: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))
