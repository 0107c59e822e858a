import { basicServiceStatus } from '@wattdeck/contract/common.ts'
import { MenuFoldOutlined, MenuUnfoldOutlined } from '@ant-design/icons'
import { lazy, Suspense, useState } from 'react'
import { Outlet } from 'react-router'
import { useMenuPath } from '../kit/routing/current-screen.ts'
import { useNarrow } from '../kit/display/use-narrow.ts'
import { useUser } from '../kit/api/user.ts'
import { LiveMark } from './LiveMark.tsx'
import { holdsPath } from './menu/menu-model.ts'
import type { Overlay } from './overlays.ts'
import { Rail } from './menu/Rail.tsx'
import { SideMenu } from './menu/SideMenu.tsx'
import { TabStrip } from './tabs/TabStrip.tsx'
import { TopBar } from './TopBar.tsx'
import { useLiveNotices } from './use-live-notices.ts'
import { Badges, useLiveBadges } from './menu/use-badges.ts'
import { useMenu } from './menu/use-menu.ts'
import { useMenuFold } from './menu/use-menu-fold.ts'
import { useShortcuts } from './use-shortcuts.ts'

const CommandPalette = lazy(() => import('./palette/CommandPalette.tsx'))
const MenuDrawer = lazy(() => import('./menu/MenuDrawer.tsx'))
const NotificationDrawer = lazy(() => import('./NotificationDrawer.tsx'))
const PageMark = lazy(() => import('./PageMark.tsx'))
const PrintHead = lazy(() => import('./PrintHead.tsx'))
const ServiceBar = lazy(() => import('./ServiceBar.tsx'))
const ShortcutSheet = lazy(() => import('./ShortcutSheet.tsx'))
const ThemeSwitcher = lazy(() => import('./ThemeSwitcher.tsx'))

/** The frame around every page of a logged-in user. */
export function ConsoleShell() {
  const user = useUser()
  const menu = useMenu()
  const narrow = useNarrow()
  const path = useMenuPath()
  const [overlay, setOverlay] = useState<Overlay>()
  const [folded, setFolded] = useMenuFold()
  const { live, unread } = useLiveNotices()
  const badges = useLiveBadges()
  useShortcuts({ menu, onOpen: setOverlay })
  const centre = menu.find((item) => holdsPath(item, path))
  const close = () => setOverlay(undefined)

  const shell = (
    <div className={folded ? 'shell folded' : 'shell'}>
      <a className="skip-link" href="#content">
        跳到主要内容
      </a>
      <TopBar user={user} narrow={narrow} unread={unread} live={<LiveMark state={live} />} onOpen={setOverlay} />
      {!narrow && <Rail menu={menu} />}
      {!narrow && !folded && <SideMenu centre={centre} />}
      <div className="shell-body">
        {!narrow && (
          <div className="strip-row">
            <button
              type="button"
              className="icon-button"
              aria-label={folded ? '展开菜单' : '收起菜单'}
              onClick={() => setFolded(!folded)}
            >
              {folded ? <MenuUnfoldOutlined /> : <MenuFoldOutlined />}
            </button>
            <TabStrip />
          </div>
        )}
        <Suspense>
          {user?.basicServiceStatus === basicServiceStatus.code.warning && <ServiceBar user={user} />}
        </Suspense>
        {user?.actedBy && (
          <p className="acted-by" role="note">
            {user.actedBy} 正以 {user.userName} 的身份操作，所有操作均会记录
          </p>
        )}
        <main id="content" tabIndex={-1}>
          <Suspense>{user && <PrintHead user={user} />}</Suspense>
          <Outlet />
        </main>
      </div>
      <Suspense>
        {overlay === 'menu' && <MenuDrawer menu={menu} onClose={close} />}
        {overlay === 'palette' && <CommandPalette menu={menu} onClose={close} onOpen={setOverlay} />}
        {overlay === 'notices' && <NotificationDrawer onClose={close} />}
        {overlay === 'shortcuts' && <ShortcutSheet menu={menu} onClose={close} />}
        {overlay === 'theme' && <ThemeSwitcher onClose={close} />}
      </Suspense>
      <Suspense>{user && <PageMark user={user} />}</Suspense>
    </div>
  )
  return <Badges value={badges}>{shell}</Badges>
}
