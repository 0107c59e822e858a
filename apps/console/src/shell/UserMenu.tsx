import { BgColorsOutlined, LockOutlined, LogoutOutlined, UserOutlined } from '@ant-design/icons'
import type { UserInfo } from '@wattdeck/contract/session/session.ts'
import { Avatar, Dropdown } from 'antd'
import { useNavigate } from 'react-router'
import type { Overlay } from './overlays.ts'
import { useLogout } from './use-logout.ts'

type Props = { user: UserInfo; narrow: boolean; onOpen: (overlay: Overlay) => void }

export function UserMenu({ user, narrow, onOpen }: Props) {
  const navigate = useNavigate()
  const logout = useLogout()
  const items = [
    {
      key: 'personal',
      icon: <UserOutlined />,
      label: '个人中心',
      onClick: () => void navigate('/personal/basicInfo'),
    },
    {
      key: 'password',
      icon: <LockOutlined />,
      label: '修改密码',
      onClick: () => void navigate('/personal/changePassword'),
    },
    ...(narrow ? [{ key: 'theme', icon: <BgColorsOutlined />, label: '主题', onClick: () => onOpen('theme') }] : []),
    { type: 'divider' as const },
    { key: 'logout', icon: <LogoutOutlined />, label: '退出登录', onClick: logout },
  ]
  return (
    <Dropdown trigger={['click']} placement="bottomRight" menu={{ items }}>
      <button type="button" className="user-button" aria-label={`${user.userName} 的账户`}>
        <Avatar size={28} src={user.avatar ?? undefined} alt="">
          {user.userName.slice(0, 1)}
        </Avatar>
        {!narrow && <span>{user.userName}</span>}
      </button>
    </Dropdown>
  )
}
