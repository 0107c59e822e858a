import { describe, expect, it } from 'vitest'
import { matchesText, pinyinInitials } from './pinyin.ts'

describe('first letters', () => {
  it.each([
    ['员工管理', 'yggl'],
    ['菜单管理', 'cdgl'],
    ['部门管理', 'bmgl'],
    ['角色管理', 'jsgl'],
    ['资源管理', 'zygl'],
    ['工作台', 'gzt'],
    ['个人中心', 'grzx'],
    ['绑定手机', 'bdsj'],
    ['APP版本 2', 'appbb 2'],
    ['', ''],
  ])('of %j are %j', (text, letters) => expect(pinyinInitials(text)).toBe(letters))

  // Characters that sort close to the first one of their letter.
  it.each([
    ['日志管理', 'rzgl'],
    ['绿行充电', 'lxcd'],
    ['其他', 'qt'],
  ])('of %j are %j', (text, letters) => expect(pinyinInitials(text)).toBe(letters))
})

describe('a text is found', () => {
  it('by a part of it, in any case', () => {
    expect(matchesText('APP版本', 'app')).toBe(true)
    expect(matchesText('员工管理', '管理')).toBe(true)
  })

  it('by the first letters of a part', () => {
    expect(matchesText('系统中心 员工管理', ' YGGL ')).toBe(true)
    expect(matchesText('系统中心 员工管理', 'gl')).toBe(true)
  })

  it('by an empty keyword', () => expect(matchesText('员工管理', '')).toBe(true))
  it('not by other letters', () => expect(matchesText('员工管理', 'glyg')).toBe(false))
})
