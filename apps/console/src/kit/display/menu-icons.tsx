import {
  AlertOutlined,
  ApartmentOutlined,
  ApiOutlined,
  AppstoreOutlined,
  AuditOutlined,
  BankOutlined,
  ClusterOutlined,
  DashboardOutlined,
  DownloadOutlined,
  EnvironmentOutlined,
  GlobalOutlined,
  IdcardOutlined,
  LockOutlined,
  MenuOutlined,
  MobileOutlined,
  QrcodeOutlined,
  QuestionCircleOutlined,
  SafetyOutlined,
  ScanOutlined,
  SettingOutlined,
  ShopOutlined,
  SolutionOutlined,
  TeamOutlined,
  ToolOutlined,
  UserOutlined,
} from '@ant-design/icons'
import type { ComponentType } from 'react'

/** Icons of menus, by their name in the menu table. */
const icons: Readonly<Record<string, ComponentType>> = {
  alert: AlertOutlined,
  apartment: ApartmentOutlined,
  api: ApiOutlined,
  appstore: AppstoreOutlined,
  audit: AuditOutlined,
  bank: BankOutlined,
  cluster: ClusterOutlined,
  dashboard: DashboardOutlined,
  download: DownloadOutlined,
  environment: EnvironmentOutlined,
  global: GlobalOutlined,
  idcard: IdcardOutlined,
  lock: LockOutlined,
  menu: MenuOutlined,
  mobile: MobileOutlined,
  qrcode: QrcodeOutlined,
  question: QuestionCircleOutlined,
  safety: SafetyOutlined,
  scan: ScanOutlined,
  setting: SettingOutlined,
  shop: ShopOutlined,
  solution: SolutionOutlined,
  team: TeamOutlined,
  tool: ToolOutlined,
  user: UserOutlined,
}
export const menuIconNames = Object.keys(icons)

export function MenuIcon({ name }: { name: string | null }) {
  const Icon = icons[name ?? ''] ?? AppstoreOutlined
  return <Icon />
}
