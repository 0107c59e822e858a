import {
  deviceMenus,
  figureMenus,
  figureName,
  type FigureName,
  trendMenus,
} from '@wattdeck/contract/dashboard/work-table.ts'

/** A card of the work table. With `menus` it requires one of them. */
type Item<K extends string> = { key: K; title: string; menus?: readonly string[]; hidden?: boolean }
export type FigureKey = FigureName | 'service'
type CardKey = 'trend' | 'plugs' | 'toDo' | 'types' | 'notices' | 'shortcuts' | 'logins'
export type Card = Item<CardKey> & { column: 'main' | 'side' }

const figures: readonly Item<FigureKey>[] = [
  ...figureName.options.map(({ value, label }) => ({ key: value, title: label, menus: figureMenus[value] })),
  { key: 'service', title: '基础服务' },
]

export const cards: readonly Card[] = [
  { key: 'trend', title: '营收与订单趋势', column: 'main', menus: trendMenus },
  { key: 'plugs', title: '端口状态', column: 'side', menus: deviceMenus },
  { key: 'toDo', title: '待处理', column: 'main' },
  { key: 'types', title: '设备类型', column: 'side', menus: deviceMenus },
  { key: 'notices', title: '最新通知', column: 'side' },
  { key: 'shortcuts', title: '快捷入口', column: 'side' },
  { key: 'logins', title: '最近登录', column: 'main' },
]

/** Two rows. Beyond that, figures of field work are hidden by default. */
const most = 8
const ofFieldWork: ReadonlySet<FigureKey> = new Set(['recharges', 'installs', 'tickets'])
export function figuresOf(granted: ReadonlySet<string>): Item<FigureKey>[] {
  const seen = seenBy(figures, granted)
  return seen.length <= most ? seen : seen.map((item) => ({ ...item, hidden: ofFieldWork.has(item.key) }))
}

export const seenBy = <I extends { menus?: readonly string[] }>(
  items: readonly I[],
  granted: ReadonlySet<string>,
): I[] => items.filter(({ menus }) => menus === undefined || menus.some((key) => granted.has(key)))
