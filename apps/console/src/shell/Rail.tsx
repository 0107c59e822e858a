import { NavLink, useLocation } from 'react-router'
import { MenuIcon } from '../kit/menu-icons.tsx'
import { firstPath, holdsPath, type MenuItem } from './menu-model.ts'

/** The centres. */
export function Rail({ menu }: { menu: readonly MenuItem[] }) {
  const { pathname } = useLocation()
  return (
    <nav className="rail" aria-label="功能中心">
      <ul>
        {menu.map((centre) => (
          <li key={centre.key}>
            <NavLink to={firstPath(centre) ?? '/'} data-on={holdsPath(centre, pathname)}>
              <MenuIcon name={centre.icon} />
              <span>{centre.title}</span>
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
