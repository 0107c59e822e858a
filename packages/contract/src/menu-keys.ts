type Menu = { key: string; title: string; icon: string; route?: string; alwaysVisible?: boolean }

/**
 * The default menu, by name; the menu manager can change titles, icons, order and state. The first two levels of the
 * keys come from spec §2; the third numbers the screens of a group in the order of the specification. A menu with a
 * route opens the screen of its name.
 */
export const menus = {
  dashboard: { key: '2', title: '工作台', icon: 'dashboard' },
  workTable: { key: '2.1', title: '工作台', icon: 'dashboard', route: '/dashboard/workTable' },
  // Not in the specification: numbered after the specified screens.
  liveOperations: { key: '2.30', title: '实时运行', icon: 'alert', route: '/dashboard/liveOperations' },
  incomeExpense: { key: '2.5', title: '收支明细', icon: 'bank', route: '/dashboard/incomeExpense' },
  accountDetail: { key: '2.6', title: '账户明细', icon: 'bank', route: '/dashboard/accountDetail' },
  dataCockpit: { key: '2.18', title: '数据驾驶舱', icon: 'dashboard', route: '/dashboard/dataCockpit' },
  analysis: { key: '2.17', title: '数据分析', icon: 'dashboard', route: '/dashboard/analysis' },
  personal: { key: '3', title: '个人中心', icon: 'user', alwaysVisible: true },
  basicInfo: { key: '3.1', title: '基本信息', icon: 'idcard', route: '/personal/basicInfo', alwaysVisible: true },
  changePassword: {
    key: '3.2',
    title: '修改密码',
    icon: 'lock',
    route: '/personal/changePassword',
    alwaysVisible: true,
  },
  bindPhone: { key: '3.3', title: '绑定手机', icon: 'mobile', route: '/personal/bindPhone', alwaysVisible: true },
  system: { key: '1', title: '系统中心', icon: 'setting' },
  systemSettings: { key: '1.1', title: '系统设置', icon: 'tool' },
  menuManager: { key: '1.1.1', title: '菜单管理', icon: 'menu', route: '/system/menuManager' },
  department: { key: '1.1.2', title: '部门管理', icon: 'apartment', route: '/system/department' },
  staff: { key: '1.1.3', title: '员工管理', icon: 'team', route: '/system/staff' },
  resource: { key: '1.1.4', title: '资源管理', icon: 'api', route: '/system/resource' },
  download: { key: '1.1.5', title: '下载管理', icon: 'download', route: '/system/download' },
  role: { key: '1.1.6', title: '角色管理', icon: 'safety', route: '/system/role' },
  operationArea: { key: '1.1.7', title: '运营区域管理', icon: 'environment', route: '/system/operationArea' },
  platform: { key: '1.2', title: '平台管理', icon: 'appstore' },
  qrCodeManage: { key: '1.2.2', title: '设备二维码管理', icon: 'qrcode', route: '/system/qrCodeManage' },
  customer: { key: '1.4', title: '客户中心', icon: 'shop' },
  organise: { key: '1.4.1', title: '机构管理', icon: 'bank', route: '/system/organise' },
  monthlyPlan: { key: '1.4.2', title: '包月方案管理', icon: 'idcard', route: '/system/monthlyPlan' },
  operatorInfo: { key: '1.4.3', title: '运营商信息', icon: 'cluster', route: '/system/operatorInfo' },
  site: { key: '1.4.4', title: '站点管理', icon: 'environment', route: '/system/site' },
  userMaintenance: { key: '1.4.5', title: '用户维护', icon: 'idcard', route: '/system/userMaintenance' },
  log: { key: '1.5', title: '日志管理', icon: 'audit', route: '/system/log' },
  product: { key: '4', title: '产品中心', icon: 'appstore' },
  devices: { key: '4.1', title: '设备管理', icon: 'cluster' },
  deviceManage: { key: '4.1.1', title: '设备管理', icon: 'cluster', route: '/product/deviceManage' },
  attributeSetting: { key: '4.1.2', title: '属性设置', icon: 'setting', route: '/product/attributeSetting' },
  repairTicket: { key: '4.1.3', title: '维修工单', icon: 'tool', route: '/product/repairTicket' },
  consumptionStandard: { key: '4.1.4', title: '消费标准', icon: 'audit', route: '/product/consumptionStandard' },
  // Not in the specification: numbered after the specified screens.
  alarmCenter: { key: '4.1.7', title: '告警中心', icon: 'alert', route: '/product/alarmCenter' },
  deviceAuth: { key: '4.1.5', title: '设备认证', icon: 'safety', route: '/product/deviceAuth' },
  deviceScan: { key: '4.1.8', title: '扫码安装', icon: 'scan', route: '/product/deviceScan' },
  configuration: { key: '4.2', title: '产品配置', icon: 'tool' },
  dtuProtocol: { key: '4.2.1', title: 'DTU协议', icon: 'api', route: '/product/dtuProtocol' },
  deviceCategory: { key: '4.2.2', title: '设备大类', icon: 'apartment', route: '/product/deviceCategory' },
  deviceType: { key: '4.2.3', title: '设备类型', icon: 'appstore', route: '/product/deviceType' },
  instructionSet: { key: '4.2.4', title: '指令集', icon: 'solution', route: '/product/instructionSet' },
  attributeTemplate: { key: '4.2.5', title: '属性模板库', icon: 'cluster', route: '/product/attributeTemplate' },
  platformAttribute: { key: '4.2.6', title: '平台属性', icon: 'setting', route: '/product/platformAttribute' },
  production: { key: '4.3', title: '生产管理', icon: 'shop' },
  supplier: { key: '4.3.1', title: '供应商管理', icon: 'shop', route: '/product/supplier' },
  member: { key: '6', title: '会员中心', icon: 'team' },
  wechatUser: { key: '6.1', title: '微信用户', icon: 'user', route: '/member/wechatUser' },
  whitelist: { key: '6.3', title: '白名单', icon: 'idcard', route: '/member/whitelist' },
  blacklist: { key: '6.4', title: '黑名单', icon: 'safety', route: '/member/blacklist' },
  miniUser: { key: '6.7', title: '小程序用户管理', icon: 'mobile', route: '/member/miniUser' },
  chargingMini: { key: '6.8', title: '充电小程序管理', icon: 'appstore', route: '/member/chargingMini' },
  // Not in the specification: numbered after the specified screens.
  balanceAdjustment: { key: '6.9', title: '余额调整审批', icon: 'audit', route: '/member/balanceAdjustment' },
  order: { key: '7', title: '订单中心', icon: 'solution' },
  payOrder: { key: '7.1', title: '支付订单', icon: 'bank', route: '/order/payOrder' },
  consumeOrder: { key: '7.2', title: '消费订单', icon: 'solution', route: '/order/consumeOrder' },
  refundOrder: { key: '7.3', title: '退款订单', icon: 'audit', route: '/order/refundOrder' },
  unfinishedOrder: { key: '7.4', title: '未完成订单', icon: 'alert', route: '/order/unfinishedOrder' },
  orderStatistics: { key: '7.5', title: '订单统计', icon: 'dashboard', route: '/order/orderStatistics' },
  completedOrder: { key: '7.6', title: '已完成订单', icon: 'safety', route: '/order/completedOrder' },
  rechargeRecord: { key: '7.9', title: '充值记录', icon: 'download', route: '/order/rechargeRecord' },
  rechargeRefund: { key: '7.10', title: '充值退款', icon: 'audit', route: '/order/rechargeRefund' },
  enterpriseRefund: { key: '7.11', title: '企业退款', icon: 'bank', route: '/order/enterpriseRefund' },
  rechargeStatistics: { key: '7.12', title: '充值统计', icon: 'dashboard', route: '/order/rechargeStatistics' },
  memberCardBuy: { key: '7.13', title: '购卡订单', icon: 'idcard', route: '/order/memberCardBuy' },
  // Not in the specification: numbered after the specified screens.
  orderReview: { key: '7.16', title: '异常订单复核', icon: 'audit', route: '/order/orderReview' },
  accounting: { key: '8', title: '账务中心', icon: 'bank' },
  payAuth: { key: '8.1', title: '支付授权', icon: 'safety', route: '/accounting/payAuth' },
  paySetting: { key: '8.2', title: '支付设置', icon: 'setting', route: '/accounting/paySetting' },
  customerAnalysis: { key: '8.8', title: '客户经营分析', icon: 'dashboard', route: '/accounting/customerAnalysis' },
  // Not in the specification: numbered after the specified screens.
  reconciliation: { key: '8.30', title: '对账', icon: 'audit', route: '/accounting/reconciliation' },
  operating: { key: '9', title: '运营中心', icon: 'shop' },
  storedCard: { key: '9.1', title: '储值卡管理', icon: 'idcard', route: '/operating/storedCard' },
  cardRecharge: { key: '9.2', title: '充值记录', icon: 'download', route: '/operating/cardRecharge' },
  cardSwipe: { key: '9.3', title: '刷卡记录', icon: 'scan', route: '/operating/cardSwipe' },
  offlineRecharge: { key: '9.12', title: '线下充值', icon: 'bank', route: '/operating/offlineRecharge' },
  rechargeThreshold: { key: '9.13', title: '充值门槛', icon: 'solution', route: '/operating/rechargeThreshold' },
  coupon: { key: '9.15', title: '优惠券管理', icon: 'tags', route: '/operating/coupon' },
  custom: { key: '10', title: '定制中心', icon: 'appstore' },
  screenLink: { key: '10.4', title: '大屏链接', icon: 'api', route: '/custom/screenLink' },
  helpDocument: { key: '1.13', title: '帮助文档', icon: 'question', route: '/helpDocument', alwaysVisible: true },
} as const satisfies Record<string, Menu>

export type MenuName = keyof typeof menus
export const menuSeeds: readonly Menu[] = Object.values(menus)
export const menuKey = Object.fromEntries(Object.entries(menus).map(([name, { key }]) => [name, key])) as {
  [K in MenuName]: (typeof menus)[K]['key']
}

/** Every list of orders. */
export const orderMenus = [
  menuKey.consumeOrder,
  menuKey.completedOrder,
  menuKey.unfinishedOrder,
  menuKey.orderReview,
  // A reviewer of a refund needs to see the order.
  menuKey.refundOrder,
] as const
