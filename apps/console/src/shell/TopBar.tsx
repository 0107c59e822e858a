import { BellOutlined, BgColorsOutlined, MenuOutlined, QuestionCircleOutlined, SearchOutlined } from '@ant-design/icons'
import { basicServiceStatus } from '@wattdeck/contract/common.ts'
import type { UserInfo } from '@wattdeck/contract/auth/session.ts'
import { Button, Tooltip } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Tag } from '../kit/display/StatusTag.tsx'
import { homePath } from '../kit/routing/paths.ts'
import { Logo } from '../kit/display/Logo.tsx'
import type { Overlay } from './overlays.ts'
import { UserMenu } from './UserMenu.tsx'

type Props = {
  user: UserInfo | undefined
  narrow: boolean
  unread: number
  live: ReactNode
  onOpen: (overlay: Overlay) => void
}

export function TopBar({ user, narrow, unread, live, onOpen }: Props) {
  return (
    <header className="top-bar">
      {narrow && <Button type="text" icon={<MenuOutlined />} aria-label="打开菜单" onClick={() => onOpen('menu')} />}
      <Link to={homePath} className="brand" aria-label="物联网控制中心 首页">
        <Logo />
        {!narrow && <span>物联网控制中心</span>}
      </Link>
      {!narrow && user && <span className="organise">{user.organiseName}</span>}
      <button type="button" className="search-button" onClick={() => onOpen('palette')}>
        <SearchOutlined />
        <span>搜索设备、订单、会员、菜单…</span>
        {!narrow && <kbd>Ctrl K</kbd>}
      </button>
      <div className="top-tools">
        {!narrow && user && <ServiceStatus status={user.basicServiceStatus} />}
        {!narrow && live}
        <Tooltip title="通知">
          <Button
            type="text"
            icon={<BellOutlined />}
            aria-label={unread > 0 ? `通知，${unread} 条未读` : '通知'}
            data-unread={unread > 99 ? '99+' : unread || undefined}
            onClick={() => onOpen('notices')}
          />
        </Tooltip>
        {!narrow && (
          <>
            <IconButton title="快捷键" icon={<QuestionCircleOutlined />} onClick={() => onOpen('shortcuts')} />
            <IconButton title="主题" icon={<BgColorsOutlined />} onClick={() => onOpen('theme')} />
          </>
        )}
        {user && <UserMenu user={user} narrow={narrow} onOpen={onOpen} />}
      </div>
    </header>
  )
}

function IconButton({ title, icon, onClick }: { title: string; icon: ReactNode; onClick: () => void }) {
  return (
    <Tooltip title={title}>
      <Button type="text" icon={icon} aria-label={title} onClick={onClick} />
    </Tooltip>
  )
}

function ServiceStatus({ status }: { status: UserInfo['basicServiceStatus'] }) {
  const { label, tone = 'off' } = basicServiceStatus.show(status)
  return <Tag tone={tone}>{`基础服务 · ${label}`}</Tag>
}
