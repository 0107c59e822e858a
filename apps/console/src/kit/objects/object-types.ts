import { menuKey, menus, type MenuName, orderMenus } from '@wattdeck/contract/menu-keys.ts'
import type { ObjectKind } from '@wattdeck/contract/kit/object-kinds.ts'
import type { UserInfo } from '@wattdeck/contract/auth/session.ts'
import { mayCall } from '../api/rights.ts'

/** A page that shows an object, and the menu that opens the page. */
type Home = { menu: MenuName; path: (id: string) => string }
type ObjectType = {
  word: string
  /** The first one that the user may open applies. */
  homes: readonly Home[]
  /** Menus whose holders may read the facts of the hover card: those of the route in `facts/`, see the test. */
  facts: readonly string[]
}

const at = (menu: MenuName, name: string): Home => {
  const { route = '' } = menus[menu] as { route?: string }
  return { menu, path: (id) => `${route}?${name}=${id}` }
}
export const devicePath = (id: string) => `/product/deviceDetail?id=${id}`
export const memberPath = (id: string) => `/member/memberInfo?id=${id}`
const sitePath = (id: string) => `/system/siteDetail?id=${id}`
export const orderPath = (id: string) => `/order/chargingOrder?id=${id}`
/** A port is named by its device and its number: 17/2. */
const portPath = (id: string) => devicePath(id.replace('/', '&port='))

/** Every kind of object that the console links to: its label, its pages, and the menus that grant access. */
export const objectTypes: Readonly<Record<ObjectKind, ObjectType>> = {
  device: { word: '设备', homes: [{ menu: 'deviceManage', path: devicePath }], facts: [menuKey.deviceManage] },
  port: { word: '端口', homes: [{ menu: 'deviceManage', path: portPath }], facts: [menuKey.deviceManage] },
  order: {
    word: '订单',
    homes: (['consumeOrder', 'completedOrder', 'unfinishedOrder', 'orderReview', 'refundOrder'] as const).map(
      (menu) => ({
        menu,
        path: orderPath,
      }),
    ),
    facts: orderMenus,
  },
  member: {
    word: '会员',
    homes: (['wechatUser', 'miniUser'] as const).map((menu) => ({ menu, path: memberPath })),
    facts: [menuKey.wechatUser, menuKey.miniUser, menuKey.balanceAdjustment, menuKey.accountDetail],
  },
  site: { word: '站点', homes: [{ menu: 'site', path: sitePath }], facts: [menuKey.site] },
  tariff: { word: '消费标准', homes: [at('consumptionStandard', 'tariff')], facts: [menuKey.consumptionStandard] },
  ticket: { word: '维修工单', homes: [at('repairTicket', 'ticket')], facts: [menuKey.repairTicket] },
  alarm: { word: '告警', homes: [at('alarmCenter', 'alarmId')], facts: [menuKey.alarmCenter] },
  payment: { word: '支付订单', homes: [at('payOrder', 'pay')], facts: [menuKey.payOrder] },
  recharge: { word: '充值记录', homes: [at('rechargeRecord', 'rechargeNo')], facts: [menuKey.rechargeRecord] },
  refund: { word: '退款订单', homes: [at('refundOrder', 'refundNo')], facts: [menuKey.refundOrder] },
  staff: { word: '员工', homes: [at('staff', 'staffId')], facts: [menuKey.staff] },
  organise: { word: '机构', homes: [at('organise', 'organiseId')], facts: [menuKey.organise] },
}

type Reader = Parameters<typeof mayCall>[0] & Partial<UserInfo>

/** The page that shows the object; undefined for a user who may not open it. */
export function objectPath(kind: ObjectKind, id: string, user: Reader | undefined): string | undefined {
  const home = objectTypes[kind].homes.find(({ menu }) => mayCall(user, { menu: menus[menu].key }))
  return home?.path(id)
}

export const mayReadFacts = (kind: ObjectKind, user: Reader | undefined): boolean =>
  mayCall(user, { menu: objectTypes[kind].facts })

/** An object of a row: its kind and its id. */
export type NamedObject = { kind: ObjectKind; id: string }

const ids: Readonly<Record<string, ObjectKind>> = {
  device: 'device',
  charging_order: 'order',
  member: 'member',
  site: 'site',
  tariff: 'tariff',
  repair_ticket: 'ticket',
  alarm: 'alarm',
  pay_order: 'payment',
  recharge_order: 'recharge',
  refund_order: 'refund',
  user_account: 'staff',
  organise: 'organise',
}

/** The object of a table row in the log. */
export function objectOfRow(table: string, id: string): NamedObject | undefined {
  const kind = ids[table]
  return kind === undefined || !/^[1-9]\d{0,17}$/.test(id) ? undefined : { kind, id }
}

/** The object of a number in the ledger: P and digits for a payment, digits alone for an order. */
export function objectOfNumber(no: string): NamedObject | undefined {
  const payment = /^P([1-9]\d{0,17})$/.exec(no)?.[1]
  if (payment !== undefined) return { kind: 'payment', id: payment }
  return /^[1-9]\d{0,17}$/.test(no) ? { kind: 'order', id: no } : undefined
}
