import { DashboardOutlined, SettingOutlined, UserOutlined } from '@ant-design/icons'
import { type ComponentType, lazy, Suspense, use } from 'react'
import { NavLink } from 'react-router'
import { useMenuPath } from '../../kit/routing/current-screen.ts'
import { dotProps } from './badge-props.ts'
import { firstPath, holdsPath, type MenuItem } from './menu-model.ts'
import { Badges } from './use-badges.ts'

/** Icons of the default centres, which render at once. */
const atHand: Readonly<Record<string, ComponentType>> = {
  dashboard: DashboardOutlined,
  setting: SettingOutlined,
  user: UserOutlined,
}
/** Placeholder of an icon. */
const NoIcon: ComponentType<{ name: string | null }> = () => <span className="anticon" />
// The rail shows few of the many menu icons, so the others load later, and the rail works without them.
const MenuIcon = lazy(async () => ({
  default: await import('../../kit/display/menu-icons.tsx').then(
    (icons) => icons.MenuIcon,
    () => NoIcon,
  ),
}))

function CentreIcon({ name }: { name: string | null }) {
  const Icon = atHand[name ?? '']
  if (Icon) return <Icon />
  return (
    <Suspense fallback={<NoIcon name={name} />}>
      <MenuIcon name={name} />
    </Suspense>
  )
}

export function Rail({ menu }: { menu: readonly MenuItem[] }) {
  const path = useMenuPath()
  const badges = use(Badges)
  return (
    <nav className="rail" aria-label="功能中心">
      <ul>
        {menu.map((centre) => (
          <li key={centre.key}>
            <NavLink to={firstPath(centre) ?? '/'} data-on={holdsPath(centre, path)} {...dotProps(centre, badges)}>
              <CentreIcon name={centre.icon} />
              <span>{centre.title}</span>
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
