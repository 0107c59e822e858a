import { expect, it } from 'vitest'
import { menuNode } from '../api/session.fixture.ts'
import { breadcrumbTo } from './breadcrumb.ts'

const staff = menuNode('1.1.3', { title: '员工管理', route: '/system/staff' })
const settings = menuNode('1.1', { title: '系统设置', childMenus: [staff] })
const tree = [menuNode('2', { title: '工作台' }), menuNode('1', { title: '系统中心', childMenus: [settings] })]

it('the breadcrumb leads from the centre to the menu', () => {
  expect(breadcrumbTo(tree, '/system/staff')).toEqual(['系统中心', '系统设置', '员工管理'])
})

it('is empty for a path that is in no menu', () => {
  expect(breadcrumbTo(tree, '/system/staf')).toEqual([])
  expect(breadcrumbTo([], '/system/staff')).toEqual([])
})
