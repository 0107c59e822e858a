import { menuKey } from '../menu-keys.ts'
import type { Figure, FigureName } from './work-table.ts'

type Owner = { organiseId?: string | undefined; agentId?: string | undefined; siteId?: string | undefined }
export type FigureTarget = { menu: string; path: string; query: Readonly<Record<string, string>> }
type Period = NonNullable<Figure['days']>

const statistics = (path: string, menu: string, query: Record<string, string>) => (days: Period) => [
  { menu, path, query: { ...query, ...days } },
]
const orders = (chart: string) => statistics('/order/orderStatistics', menuKey.orderStatistics, { chart })
const standing =
  (...targets: FigureTarget[]) =>
  () =>
    targets
const devices = (query: Record<string, string>): FigureTarget => ({
  menu: menuKey.deviceManage,
  path: '/product/deviceManage',
  query,
})

/**
 * The pages whose total equals the figure. A page with another definition or period is excluded: orders are listed by
 * the day on which they were placed, members by the app of their registration.
 */
const targets: Readonly<Record<FigureName, (days: Period) => readonly FigureTarget[]>> = {
  revenue: orders('revenue'),
  orders: orders('orders'),
  energy: orders('energy'),
  members: statistics('/dashboard/analysis', menuKey.analysis, {}),
  online: standing(devices({ online: '1' })),
  faults: standing(devices({ plugStatus: '3' })),
  income: standing(),
  recharges: statistics('/order/rechargeStatistics', menuKey.rechargeStatistics, {}),
  installs: standing(devices({ installStatus: '0' })),
  tickets: standing({ menu: menuKey.repairTicket, path: '/product/repairTicket', query: { status: '2' } }),
}
/** For figures of the current state, which have no period. */
const noDays: Period = { from: '', to: '' }

/** The link target within an owner, for a user with these menus. */
export function ownedTarget(
  target: FigureTarget | undefined,
  { organiseId, agentId, siteId }: Owner,
  menus: { has: (key: string) => boolean },
): FigureTarget | undefined {
  if (target === undefined || !menus.has(target.menu)) return undefined
  const owner = Object.entries({ organiseId, agentId, siteId }).flatMap(([key, id]) =>
    id === undefined ? [] : [[key, id]],
  )
  return { ...target, query: { ...target.query, ...(Object.fromEntries(owner) as Record<string, string>) } }
}

/** The link target of a figure for a user with these menus, with the same period and owner. */
export function figureTarget(
  name: FigureName,
  { days }: Pick<Figure, 'days'>,
  owner: Owner,
  menus: { has: (key: string) => boolean },
): FigureTarget | undefined {
  return ownedTarget(
    targets[name](days ?? noDays).find(({ menu }) => menus.has(menu)),
    owner,
    menus,
  )
}

export const targetPath = ({ path, query }: FigureTarget) => `${path}?${new URLSearchParams(query).toString()}`
