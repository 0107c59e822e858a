import type { Action } from '@wattdeck/contract/kit/route.ts'
import { menuKey, type MenuName } from '@wattdeck/contract/menu-keys.ts'
import { installerRoleCode, roleCode } from '@wattdeck/domain/roles.ts'

/** A role as it is delivered. A role made from it never exceeds the ceiling of its organisation or the rights of its maker. */
export type RoleTemplate = {
  code: string
  name: string
  /** ofPlace: the type of the place that the role is made for: an organisation, an agent or a site. */
  userType: 1 | 2 | 3 | 4 | 'ofPlace'
  platformOnly?: boolean
  note: string
  /** 'all': every action of the menu; of the template itself: every menu. */
  menus: 'all' | Readonly<Partial<Record<MenuName, readonly Action[] | 'all'>>>
}

const only = (...names: MenuName[]) => Object.fromEntries(names.map((name) => [name, 'all' as const]))
/** Files are made in the background and fetched from the list of downloads. */
const downloads = { download: ['export', 'delete'] } as const
const read: readonly Action[] = []
const readAndExport: readonly Action[] = ['export']

/** What an agent runs with its sites, devices, members and orders. */
const operating = only(
  'workTable',
  'liveOperations',
  'incomeExpense',
  'accountDetail',
  'analysis',
  'dataCockpit',
  'department',
  'staff',
  'download',
  'role',
  'operationArea',
  'qrCodeManage',
  'operatorInfo',
  'site',
  'userMaintenance',
  'log',
  'deviceManage',
  'attributeSetting',
  'repairTicket',
  'consumptionStandard',
  'alarmCenter',
  'deviceAuth',
  'deviceScan',
  'wechatUser',
  'miniUser',
  'whitelist',
  'blacklist',
  'balanceAdjustment',
  'storedCard',
  'cardRecharge',
  'cardSwipe',
  'offlineRecharge',
  'coupon',
  'payOrder',
  'consumeOrder',
  'refundOrder',
  'unfinishedOrder',
  'orderStatistics',
  'completedOrder',
  'rechargeRecord',
  'rechargeRefund',
  'enterpriseRefund',
  'rechargeStatistics',
  'orderReview',
  'rechargeThreshold',
  'monthlyPlan',
  'memberCardBuy',
)

/** One for each role code of spec §6, and one for installers. Names and rights can be changed once the role is made. */
export const roleTemplates: readonly RoleTemplate[] = [
  {
    code: roleCode.publicAccountManager,
    name: '公众号管理',
    userType: 1,
    note: '管理本机构的全部业务，含小程序和接口密钥、收款设置、对账和大屏链接；机构的权限上限',
    menus: {
      ...operating,
      ...only('chargingMini', 'payAuth', 'paySetting', 'customerAnalysis', 'reconciliation', 'screenLink'),
    },
  },
  {
    code: roleCode.operatorUser,
    name: '运营商用户',
    userType: 2,
    note: '管理本代理商及下级的站点、设备、会员、订单和人员',
    menus: operating,
  },
  {
    code: roleCode.siteUser,
    name: '站点用户',
    userType: 3,
    note: '查看本站点的设备、端口、订单和统计，处理告警，报修',
    menus: {
      workTable: read,
      liveOperations: read,
      incomeExpense: readAndExport,
      analysis: read,
      ...downloads,
      site: read,
      deviceManage: readAndExport,
      alarmCenter: ['edit', 'export'],
      repairTicket: ['add', 'export'],
      consumeOrder: readAndExport,
      completedOrder: readAndExport,
      unfinishedOrder: read,
      orderStatistics: readAndExport,
    },
  },
  {
    code: installerRoleCode,
    name: '安装员',
    userType: 4,
    note: '扫码安装设备，完成派发的维修工单，报修',
    // An installer tests the ports of a device that is put up.
    menus: { workTable: read, deviceScan: ['edit', 'control'], repairTicket: ['add', 'edit'] },
  },
  {
    code: roleCode.unionPayAccount,
    name: '银联账户',
    userType: 'ofPlace',
    note: '查看账户、支付订单和充值；可与运营商用户、站点用户同时使用',
    menus: {
      workTable: read,
      incomeExpense: readAndExport,
      accountDetail: readAndExport,
      ...downloads,
      payOrder: readAndExport,
      rechargeRecord: readAndExport,
      rechargeStatistics: readAndExport,
    },
  },
  {
    code: roleCode.simCardUser,
    name: 'SIM卡用户',
    userType: 'ofPlace',
    note: '按ICCID查找设备，查看设备是否在线和离线告警',
    menus: {
      workTable: read,
      liveOperations: read,
      ...downloads,
      deviceManage: readAndExport,
      alarmCenter: readAndExport,
    },
  },
  {
    code: roleCode.investor,
    name: '联合运营投资人',
    userType: 'ofPlace',
    note: '查看所在机构、代理商或站点的设备和报表；不含收益分配',
    menus: {
      workTable: read,
      analysis: read,
      dataCockpit: read,
      ...downloads,
      site: read,
      deviceManage: readAndExport,
      orderStatistics: readAndExport,
    },
  },
  {
    code: roleCode.testUser,
    name: '测试用户',
    userType: 'ofPlace',
    note: '按类型查看设备是否在线，查看告警，报修；不含设备控制',
    menus: { workTable: read, liveOperations: read, deviceManage: read, alarmCenter: read, repairTicket: ['add'] },
  },
  {
    code: roleCode.platformAdmin,
    name: '平台管理员',
    userType: 1,
    platformOnly: true,
    note: '管理平台和全部机构；仅限平台',
    menus: 'all',
  },
]

/** The keys of its pages with the actions on each; undefined for all there are. */
export function pagesOf({ menus }: RoleTemplate): ReadonlyMap<string, readonly Action[] | 'all'> | undefined {
  if (menus === 'all') return undefined
  const pages = Object.entries(menus) as [MenuName, readonly Action[] | 'all'][]
  return new Map(pages.map(([name, actions]) => [menuKey[name], actions]))
}
