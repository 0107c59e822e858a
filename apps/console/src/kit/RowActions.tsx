import { MoreOutlined } from '@ant-design/icons'
import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { Button, Dropdown, Tooltip } from 'antd'
import { mayCall } from './rights.ts'
import { useUser } from './user.ts'

export type RowAction = {
  label: string
  onClick: () => void
  /** Shown only to those who may call it. */
  route?: AnyRoute
  danger?: boolean
  /** Why it cannot be done now; it is shown, but does not work. */
  disabled?: string | undefined
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
        <Tooltip key={action.label} title={action.disabled}>
          <Button
            type={card ? 'default' : 'link'}
            size={card ? 'large' : 'small'}
            danger={action.danger ?? false}
            disabled={action.disabled !== undefined}
            onClick={action.onClick}
          >
            {action.label}
          </Button>
        </Tooltip>
      ))}
      {hidden.length > 0 && (
        <Dropdown
          trigger={['click']}
          menu={{
            items: hidden.map((action) => ({
              key: action.label,
              label: action.label,
              danger: action.danger ?? false,
              disabled: action.disabled !== undefined,
              title: action.disabled ?? '',
              onClick: action.onClick,
            })),
          }}
        >
          <Button
            type={card ? 'default' : 'text'}
            size={card ? 'large' : 'small'}
            icon={<MoreOutlined />}
            aria-label={`更多操作 ${what}`}
          />
        </Dropdown>
      )}
    </div>
  )
}
