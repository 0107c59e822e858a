import { BgColorsOutlined, LockOutlined, LogoutOutlined, UserOutlined } from '@ant-design/icons'
import type { UserInfo } from '@wattdeck/contract/auth/session.ts'
import { useNavigate } from 'react-router'
import { MenuButton } from '../kit/display/MenuButton.tsx'
import { useLogout } from '../kit/api/use-logout.ts'
import type { Overlay } from './overlays.ts'

type Props = { user: UserInfo; narrow: boolean; onOpen: (overlay: Overlay) => void }

export function UserMenu({ user, narrow, onOpen }: Props) {
  const navigate = useNavigate()
  const logout = useLogout()
  const entries = [
    { icon: <UserOutlined />, label: '个人中心', onClick: () => void navigate('/personal/basicInfo') },
    { icon: <LockOutlined />, label: '修改密码', onClick: () => void navigate('/personal/changePassword') },
    ...(narrow ? [{ icon: <BgColorsOutlined />, label: '主题', onClick: () => onOpen('theme') }] : []),
    { icon: <LogoutOutlined />, label: '退出登录', onClick: logout },
  ]
  return (
    <MenuButton type="text" className="user-button" aria-label={`${user.userName} 的账户`} entries={entries}>
      {user.avatar ? (
        <img className="avatar" src={user.avatar} alt="" />
      ) : (
        <span className="avatar" data-letter={user.userName.slice(0, 1)} />
      )}
      {!narrow && <span>{user.userName}</span>}
    </MenuButton>
  )
}
