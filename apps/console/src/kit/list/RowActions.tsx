import { MoreOutlined } from '@ant-design/icons'
import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import type { UserInfo } from '@wattdeck/contract/auth/session.ts'
import { MenuButton, type MenuEntry } from '../display/MenuButton.tsx'
import { ReasonButton } from '../form/ReasonButton.tsx'
import { mayCall } from '../api/rights.ts'
import { useUser } from '../api/user.ts'

export type RowAction = Pick<MenuEntry, 'label' | 'onClick' | 'danger' | 'disabled'> & {
  /** Hides the action from users who may not call the route. */
  route?: AnyRoute
}

/** Shows up to three actions; of more, it shows two and puts the rest into a menu. */
function arranged(user: UserInfo | undefined, actions: readonly RowAction[]) {
  const allowed = actions.filter((action) => !action.route || mayCall(user, action.route.access))
  const inSight = allowed.length <= 3 ? allowed.length : 2
  return { shown: allowed.slice(0, inSight), hidden: allowed.slice(inSight) }
}

const [letterPx, besideLabelPx, morePx, cellPx] = [14, 14, 32, 20]

/** The width that the widest of these rows needs, and at least that of the title. */
export const actionsWidth = (user: UserInfo | undefined, rows: readonly (readonly RowAction[])[]) =>
  Math.max(
    72,
    ...rows.map((actions) => {
      const { shown, hidden } = arranged(user, actions)
      const labels = shown.reduce((sum, { label }) => sum + label.length * letterPx + besideLabelPx, 0)
      return labels + (hidden.length > 0 ? morePx : 0) + cellPx
    }),
  )

/** On a card every action is a large button. */
export function RowActions({ actions, what, card }: { actions: readonly RowAction[]; what: string; card?: boolean }) {
  const { shown, hidden } = arranged(useUser(), actions)
  return (
    <div className={card ? 'card-actions' : 'row-actions'}>
      {shown.map((action) => (
        <ReasonButton
          key={action.label}
          type={card ? 'default' : 'link'}
          size={card ? 'large' : 'small'}
          danger={action.danger ?? false}
          reason={action.disabled}
          onClick={action.onClick}
        >
          {action.label}
        </ReasonButton>
      ))}
      {hidden.length > 0 && (
        <MenuButton
          type={card ? 'default' : 'text'}
          size={card ? 'large' : 'small'}
          icon={<MoreOutlined />}
          aria-label={`更多操作 ${what}`}
          entries={hidden}
        />
      )}
    </div>
  )
}
