import { Drawer } from 'antd'
import type { MenuItem } from './menu-model.ts'
import { MenuItems } from './SideMenu.tsx'

/** The menu on a phone. */
export default function MenuDrawer({ menu, onClose }: { menu: readonly MenuItem[]; onClose: () => void }) {
  return (
    <Drawer open placement="left" size={280} title="物联网控制中心" onClose={onClose}>
      <nav className="side-menu in-drawer" aria-label="菜单">
        <MenuItems items={menu} onPick={onClose} />
      </nav>
    </Drawer>
  )
}
