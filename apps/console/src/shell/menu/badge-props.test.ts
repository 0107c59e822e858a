import { describe, expect, it } from 'vitest'
import { badgeProps, dotProps } from './badge-props.ts'
import type { MenuItem } from './menu-model.ts'

const leaf = (key: string, title: string): MenuItem => ({ key, title, icon: null, path: `/${key}`, items: [] })
const alarms = leaf('4.1.7', '告警中心')
const centre: MenuItem = {
  ...leaf('4', '产品中心'),
  path: null,
  items: [{ ...leaf('4.1', '设备管理'), path: null, items: [leaf('4.1.1', '设备'), alarms] }],
}
const waiting = (count: number, more = false) => [{ menu: '4.1.7', count, more }]

describe('the badge of a menu', () => {
  it.each([
    [3, false, 3, '告警中心，3 项待处理'],
    [99, false, 99, '告警中心，99 项待处理'],
    [100, false, '99+', '告警中心，100 项待处理'],
    [999, true, '99+', '告警中心，999+ 项待处理'],
  ])('shows and announces %d (more: %s)', (count, more, shown, name) => {
    expect(badgeProps(alarms, waiting(count, more))).toEqual({ 'data-badge': shown, 'aria-label': name })
  })

  it('is absent where nothing is pending or nothing is counted', () => {
    expect(badgeProps(alarms, waiting(0))).toEqual({})
    expect(badgeProps(leaf('4.1.1', '设备'), waiting(3))).toEqual({})
    for (const none of [[], undefined]) expect(badgeProps(alarms, none)).toEqual({})
  })
})

it('a centre has a dot while anything is pending in one of its menus', () => {
  expect(dotProps(centre, waiting(1))).toEqual({ 'data-badge': '', 'aria-label': '产品中心，有待处理' })
  expect(dotProps(centre, waiting(0))).toEqual({})
  expect(dotProps(leaf('7', '订单中心'), waiting(1))).toEqual({})
})
