import { figureTarget, targetPath } from '@wattdeck/contract/dashboard/figure-links.ts'
import type { Figure, FigureName } from '@wattdeck/contract/dashboard/work-table.ts'
import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { alarmSeverity, unclosedAlarms } from '@wattdeck/contract/product/alarm-codes.ts'
import { plugStatus } from '@wattdeck/contract/product/device-codes.ts'
import type { SiteDetail, sitePartMenus } from '@wattdeck/contract/system/site-detail.ts'
import type { StripFigure } from '../../../kit/display/FigureStrip.tsx'
import { changeOf, comparedLines, shortText, unitOf } from '../../../kit/display/figure-text.ts'

export type SiteParts = Pick<SiteDetail, 'id' | keyof typeof sitePartMenus>
type Menus = { has: (key: string) => boolean }
type Note = StripFigure['notes'][number]

const { free, working } = plugStatus.code

const listPath = (menus: Menus, menu: string, path: string, query: Record<string, string>) =>
  menus.has(menu) ? { path: `${path}?${new URLSearchParams(query).toString()}` } : {}

/** The same target list as for this figure on the work table. */
function sharedPath(name: FigureName, figure: Pick<Figure, 'days'>, siteId: string, menus: Menus): { path?: string } {
  const target = figureTarget(name, figure, { siteId }, menus)
  return target === undefined ? {} : { path: targetPath(target) }
}

/** 1/10 W as kW with one decimal. */
const kilowattText = (powerDw: number) => (powerDw / 10_000).toFixed(1)

function chargingFigure({ id, charging }: SiteParts, menus: Menus): StripFigure[] {
  if (charging === null) return []
  return [
    {
      key: 'charging',
      title: '充电中',
      value: String(charging.orders),
      notes: [{ text: `实时功率 ${kilowattText(charging.powerDw)} kW` }],
      ...listPath(menus, menuKey.unfinishedOrder, '/order/unfinishedOrder', { siteId: id }),
    },
  ]
}

function onlineNote(total: number, offline: number): Note {
  if (total === 0) return { text: '暂无设备' }
  return offline === 0 ? { text: '全部在线' } : { text: `离线 ${offline}`, tone: 'warn' }
}

function deviceFigures({ id, devices }: SiteParts, menus: Menus): StripFigure[] {
  if (devices === null) return []
  const { total, online, ports, offlinePorts } = devices
  const offline = offlinePorts === 0 ? [] : [{ text: `离线 ${offlinePorts}` }]
  const broken = devices.fault === 0 ? [] : [{ text: `故障 ${devices.fault}`, tone: 'bad' }]
  return [
    {
      key: 'ports',
      title: '空闲端口',
      value: String(devices.free),
      after: `/ ${ports}`,
      notes: [{ text: `${plugStatus.show(working).label} ${devices.working}` }, ...broken, ...offline],
      ...listPath(menus, menuKey.deviceManage, '/product/deviceManage', { siteId: id, plugStatus: String(free) }),
    },
    {
      key: 'online',
      title: '在线设备',
      value: String(online),
      after: `/ ${total}`,
      notes: [onlineNote(total, total - online)],
      ...sharedPath('online', { days: null }, id, menus),
    },
  ]
}

const todayNames = ['revenue', 'orders', 'energy'] as const
const titles = { revenue: '今日营收', orders: '今日订单', energy: '今日电量' } as const

/** Shortened to fit a card; a scale like 万 is part of the value. */
function textOf(name: (typeof todayNames)[number], wire: string): { value: string; unit: string } {
  const { digits, scale } = shortText(unitOf[name], wire)
  return { value: scale === '' ? digits : `${digits} ${scale}`, unit: unitOf[name].after }
}

/** The card has room for the change and what it is against; both sides with their hour stand in its help. */
function todayNotes(name: (typeof todayNames)[number], { compared }: Figure): Pick<StripFigure, 'notes' | 'help'> {
  if (compared === null) return { notes: [{ text: '满一小时后与昨日比较' }] }
  const change = changeOf(unitOf[name], compared)
  const before = { text: `昨日同期 ${textOf(name, compared.before).value}` }
  return {
    notes: change === undefined ? [before] : [{ text: change.text, tone: change.tone }, before],
    help: comparedLines(unitOf[name], compared, undefined).join('；'),
  }
}

function todayFigures({ id, today }: SiteParts, menus: Menus): StripFigure[] {
  if (today === null) return []
  return todayNames.map((name) => {
    const figure = today[name]
    const { value, unit } = textOf(name, figure.value)
    return {
      key: name,
      title: titles[name],
      value,
      ...(unit === '' ? {} : { after: unit }),
      ...todayNotes(name, figure),
      ...sharedPath(name, figure, id, menus),
    }
  })
}

function alarmFigure({ id, alarms }: SiteParts, menus: Menus): StripFigure[] {
  if (alarms === null) return []
  const parts = (['critical', 'major', 'minor'] as const).filter((name) => alarms[name] > 0)
  const notes = parts.map((name) => {
    const { label, tone } = alarmSeverity.show(alarmSeverity.code[name])
    return { text: `${label} ${alarms[name]}`, ...(tone === undefined ? {} : { tone }) }
  })
  return [
    {
      key: 'alarms',
      title: '未关闭告警',
      value: String(alarms.critical + alarms.major + alarms.minor),
      notes: notes.length === 0 ? [{ text: '暂无告警' }] : notes,
      ...(alarms.critical > 0 ? { tone: 'bad' as const } : {}),
      ...listPath(menus, menuKey.alarmCenter, '/product/alarmCenter', {
        siteId: id,
        unclosed: unclosedAlarms.code.only,
      }),
    },
  ]
}

function ticketFigure({ id, tickets }: SiteParts, menus: Menus): StripFigure[] {
  if (tickets === null) return []
  const path = sharedPath('tickets', { days: null }, id, menus)
  return [{ key: 'tickets', title: '待维修工单', value: String(tickets), notes: [], ...path }]
}

/** The figures of a site that the reader may see, each with the list of what it counts. */
export const siteFigures = (site: SiteParts, menus: Menus): StripFigure[] => [
  ...chargingFigure(site, menus),
  ...deviceFigures(site, menus),
  ...todayFigures(site, menus),
  ...alarmFigure(site, menus),
  ...ticketFigure(site, menus),
]
