import { menuKey, type MenuName } from '@wattdeck/contract/menu-keys.ts'
import { describe, expect, it } from 'vitest'
import { siteFigures, type SiteParts } from './site-figures.ts'

const figure = (value: string, compared: { now: string; before: string } | null = null) => ({
  value,
  of: null,
  parts: [],
  compared: compared && { upto: '2026-11-15 09:00:00', ...compared },
  days: { from: '2026-11-15', to: '2026-11-15' },
  whose: null,
})
const nothing = { devices: null, charging: null, alarms: null, tickets: null, today: null }
const all = {
  devices: { total: 4, online: 3, ports: 40, offlinePorts: 10, free: 20, working: 8, fault: 2, other: 10 },
  charging: { orders: 8, powerDw: 123_456 },
  alarms: { critical: 1, major: 0, minor: 2 },
  tickets: 5,
  today: {
    revenue: figure('120.00', { now: '110.00', before: '100.00' }),
    orders: figure('12', { now: '9', before: '10' }),
    energy: figure('1234500'),
  },
}
const site = (parts: Partial<SiteParts>): SiteParts => ({ id: '7', ...nothing, ...parts })
const menus = (...names: MenuName[]) => new Set<string>(names.map((name) => menuKey[name]))
const everything: MenuName[] = ['unfinishedOrder', 'deviceManage', 'orderStatistics', 'alarmCenter', 'repairTicket']

describe('the figures of a site', () => {
  it('link to the counted rows', () => {
    const paths = siteFigures(site(all), menus(...everything)).map(({ key, path }) => [key, path])
    const today = 'from=2026-11-15&to=2026-11-15&siteId=7'
    expect(paths).toEqual([
      ['charging', '/order/unfinishedOrder?siteId=7'],
      ['ports', '/product/deviceManage?siteId=7&plugStatus=1'],
      ['online', '/product/deviceManage?online=1&siteId=7'],
      ['revenue', `/order/orderStatistics?chart=revenue&${today}`],
      ['orders', `/order/orderStatistics?chart=orders&${today}`],
      ['energy', `/order/orderStatistics?chart=energy&${today}`],
      ['alarms', '/product/alarmCenter?siteId=7&unclosed=true'],
      ['tickets', '/product/repairTicket?status=2&siteId=7'],
    ])
  })

  it('have no link for a user without the menu of the list', () => {
    const parts = { charging: all.charging, today: all.today }
    const shown = siteFigures(site(parts), menus('consumeOrder'))
    expect(shown.map(({ key, path }) => [key, path])).toEqual([
      ['charging', undefined],
      ['revenue', undefined],
      ['orders', undefined],
      ['energy', undefined],
    ])
  })

  it('are absent where the server omits a part', () => {
    expect(siteFigures(site({}), menus(...everything))).toEqual([])
    expect(siteFigures(site({ tickets: 0 }), menus(...everything)).map(({ key }) => key)).toEqual(['tickets'])
  })

  it('show their notes, and compare today with yesterday', () => {
    const shown = new Map(siteFigures(site(all), menus()).map((one) => [one.key, one]))
    const words = (key: string) => {
      const { value, after, notes = [] } = shown.get(key) ?? {}
      return [`${value}${after === undefined ? '' : ` ${after}`}`, ...notes.map(({ text }) => text)]
    }
    expect(words('charging')).toEqual(['8', '实时功率 12.3 kW'])
    expect(words('ports')).toEqual(['20 / 40', '工作中 8', '故障 2', '离线 10'])
    expect(words('online')).toEqual(['3 / 4', '离线 1'])
    expect(words('revenue')).toEqual(['¥120.00', '↑ 10.0%', '昨日同期 ¥100.00'])
    expect(shown.get('revenue')?.help).toBe('今日截至 09:00 ¥110.00；昨日截至 09:00 ¥100.00')
    expect(words('orders')).toEqual(['12', '↓ 10.0%', '昨日同期 10'])
    expect(words('energy')).toEqual(['123.45 kWh', '满一小时后与昨日比较'])
    expect(words('alarms')).toEqual(['3', '紧急 1', '一般 2'])
    expect(shown.get('alarms')?.tone).toBe('bad')
  })

  it('state that there are no problems', () => {
    const alarms = { critical: 0, major: 0, minor: 0 }
    const devices = { ...all.devices, online: 4, offlinePorts: 0, fault: 0 }
    const shown = siteFigures(site({ alarms, devices }), menus())
    expect(shown.flatMap(({ notes }) => notes.map(({ text }) => text))).toEqual(['工作中 8', '全部在线', '暂无告警'])
    expect(shown.every(({ tone }) => tone === undefined)).toBe(true)
  })
})
