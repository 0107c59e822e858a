import { menuKey } from '../menu-keys.ts'
import { orderStatus } from '../order/order-codes.ts'
import { type FigureTarget, ownedTarget } from './figure-links.ts'

type Owner = Parameters<typeof ownedTarget>[1]
type Menus = Parameters<typeof ownedTarget>[2]

const devices = (query: Record<string, string>) => ({
  menu: menuKey.deviceManage,
  path: '/product/deviceManage',
  query,
})
const alarms = (query: Record<string, string>) => ({
  menu: menuKey.alarmCenter,
  path: '/product/alarmCenter',
  query: { unclosed: 'true', ...query },
})

/** The lists with exactly the rows that a figure of the live view counts. */
const targets = {
  charging: {
    menu: menuKey.consumeOrder,
    path: '/order/consumeOrder',
    query: { status: String(orderStatus.code.charging) },
  },
  online: devices({ online: '1' }),
  devices: devices({}),
  alarms: alarms({}),
} as const

/** The link target of a figure for a user with these menus, within the owner of the view. */
export const liveTarget = (name: keyof typeof targets, owner: Owner, menus: Menus): FigureTarget | undefined =>
  ownedTarget(targets[name], owner, menus)

export const severityTarget = (severity: number, owner: Owner, menus: Menus): FigureTarget | undefined =>
  ownedTarget(alarms({ severity: String(severity) }), owner, menus)
