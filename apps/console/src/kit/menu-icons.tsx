import {
  ApartmentOutlined,
  ApiOutlined,
  AppstoreOutlined,
  AuditOutlined,
  DashboardOutlined,
  IdcardOutlined,
  LockOutlined,
  MenuOutlined,
  MobileOutlined,
  SafetyOutlined,
  SettingOutlined,
  TeamOutlined,
  ToolOutlined,
  UserOutlined,
} from '@ant-design/icons'
import type { ComponentType } from 'react'

/** Icons a menu may carry, by the name that stands in the menu table. */
const icons: Readonly<Record<string, ComponentType>> = {
  apartment: ApartmentOutlined,
  api: ApiOutlined,
  appstore: AppstoreOutlined,
  audit: AuditOutlined,
  dashboard: DashboardOutlined,
  idcard: IdcardOutlined,
  lock: LockOutlined,
  menu: MenuOutlined,
  mobile: MobileOutlined,
  safety: SafetyOutlined,
  setting: SettingOutlined,
  team: TeamOutlined,
  tool: ToolOutlined,
  user: UserOutlined,
}
export const menuIconNames = Object.keys(icons)

export function MenuIcon({ name }: { name: string | null }) {
  const Icon = icons[name ?? ''] ?? AppstoreOutlined
  return <Icon />
}
