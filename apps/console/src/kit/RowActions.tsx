import { MoreOutlined } from '@ant-design/icons'
import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { MenuButton, type MenuEntry } from './MenuButton.tsx'
import { ReasonButton } from './ReasonButton.tsx'
import { mayCall } from './rights.ts'
import { useUser } from './user.ts'

export type RowAction = Pick<MenuEntry, 'label' | 'onClick' | 'danger' | 'disabled'> & {
  /** Shown only to those who may call it. */
  route?: AnyRoute
}

/** Two actions in sight, the rest behind a button; on a card every one is a button of finger size. */
export function RowActions({ actions, what, card }: { actions: readonly RowAction[]; what: string; card?: boolean }) {
  const user = useUser()
  const allowed = actions.filter((action) => !action.route || mayCall(user, action.route.access))
  const inSight = allowed.length <= 3 ? allowed.length : 2
  const hidden = allowed.slice(inSight)
  return (
    <div className={card ? 'card-actions' : 'row-actions'}>
      {allowed.slice(0, inSight).map((action) => (
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
