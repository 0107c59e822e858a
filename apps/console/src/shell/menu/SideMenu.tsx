import { DownOutlined, UpOutlined } from '@ant-design/icons'
import { use, useState } from 'react'
import { NavLink } from 'react-router'
import { useMenuPath } from '../../kit/routing/current-screen.ts'
import { badgeProps } from './badge-props.ts'
import { holdsPath, type MenuItem } from './menu-model.ts'
import { Badges } from './use-badges.ts'

/** The menus of one centre: links, and groups that fold. */
export function SideMenu({ centre }: { centre: MenuItem | undefined }) {
  if (!centre) return null
  return (
    <nav className="side-menu" aria-label={centre.title}>
      <h2>{centre.title}</h2>
      <MenuItems items={centre.items.length > 0 ? centre.items : [centre]} />
    </nav>
  )
}

export function MenuItems({ items, onPick }: { items: readonly MenuItem[]; onPick?: () => void }) {
  const badges = use(Badges)
  return (
    <ul>
      {items.map((item) => (
        <li key={item.key}>
          {item.path === null ? (
            <MenuGroup item={item} {...(onPick ? { onPick } : {})} />
          ) : (
            <NavLink to={item.path} onClick={onPick} {...badgeProps(item, badges)}>
              {item.title}
            </NavLink>
          )}
        </li>
      ))}
    </ul>
  )
}

function MenuGroup({ item, onPick }: { item: MenuItem; onPick?: () => void }) {
  const path = useMenuPath()
  const [open, setOpen] = useState(true)
  return (
    <>
      <button
        type="button"
        className="menu-group"
        aria-expanded={open}
        data-on={holdsPath(item, path)}
        onClick={() => setOpen(!open)}
      >
        {item.title}
        {open ? <UpOutlined /> : <DownOutlined />}
      </button>
      {open && <MenuItems items={item.items} {...(onPick ? { onPick } : {})} />}
    </>
  )
}
