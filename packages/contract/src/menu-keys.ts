/**
 * Menu keys of spec §2. The first two levels are the specification's own; the third numbers the screens of a group in
 * the order in which the specification names them. Contracts, console routes and the menu table all read this list.
 */
export const menuKey = {
  system: '1',
  systemSettings: '1.1',
  menuManager: '1.1.1',
  department: '1.1.2',
  staff: '1.1.3',
  resource: '1.1.4',
  download: '1.1.5',
  role: '1.1.6',
  operationArea: '1.1.7',
  customer: '1.4',
  organise: '1.4.1',
  operatorInfo: '1.4.3',
  site: '1.4.4',
  userMaintenance: '1.4.5',
  log: '1.5',
  helpDocument: '1.13',
  dashboard: '2',
  workTable: '2.1',
  personal: '3',
  basicInfo: '3.1',
  changePassword: '3.2',
  bindPhone: '3.3',
} as const

type MenuSeed = { key: string; title: string; icon: string; route?: string; alwaysVisible?: boolean }

/** The menu as it is delivered; titles, icons, order and state can be changed in the menu manager afterwards. */
export const menuSeeds: MenuSeed[] = [
  { key: menuKey.dashboard, title: '工作台', icon: 'dashboard' },
  { key: menuKey.workTable, title: '工作台', icon: 'dashboard', route: '/dashboard/workTable' },
  { key: menuKey.personal, title: '个人中心', icon: 'user', alwaysVisible: true },
  { key: menuKey.basicInfo, title: '基本信息', icon: 'idcard', route: '/personal/basicInfo', alwaysVisible: true },
  {
    key: menuKey.changePassword,
    title: '修改密码',
    icon: 'lock',
    route: '/personal/changePassword',
    alwaysVisible: true,
  },
  { key: menuKey.bindPhone, title: '绑定手机', icon: 'mobile', route: '/personal/bindPhone', alwaysVisible: true },
  { key: menuKey.system, title: '系统中心', icon: 'setting' },
  { key: menuKey.systemSettings, title: '系统设置', icon: 'tool' },
  { key: menuKey.menuManager, title: '菜单管理', icon: 'menu', route: '/system/menuManager' },
  { key: menuKey.department, title: '部门管理', icon: 'apartment', route: '/system/department' },
  { key: menuKey.staff, title: '员工管理', icon: 'team', route: '/system/staff' },
  { key: menuKey.resource, title: '资源管理', icon: 'api', route: '/system/resource' },
  { key: menuKey.download, title: '下载管理', icon: 'download', route: '/system/download' },
  { key: menuKey.role, title: '角色管理', icon: 'safety', route: '/system/role' },
  { key: menuKey.operationArea, title: '运营区域管理', icon: 'environment', route: '/system/operationArea' },
  { key: menuKey.customer, title: '客户中心', icon: 'shop' },
  { key: menuKey.organise, title: '机构管理', icon: 'bank', route: '/system/organise' },
  { key: menuKey.operatorInfo, title: '运营商信息', icon: 'cluster', route: '/system/operatorInfo' },
  { key: menuKey.site, title: '站点管理', icon: 'environment', route: '/system/site' },
  { key: menuKey.userMaintenance, title: '用户维护', icon: 'idcard', route: '/system/userMaintenance' },
  { key: menuKey.log, title: '日志管理', icon: 'audit', route: '/system/log' },
  { key: menuKey.helpDocument, title: '帮助文档', icon: 'question', route: '/helpDocument', alwaysVisible: true },
]
