import { toDoMost } from '@wattdeck/contract/dashboard/work-table.ts'
import { expect, it } from 'vitest'
import { badgesOf } from './menu-badges.rules.ts'

it('adds up the kinds of one menu and keeps menus apart', () => {
  expect(
    badgesOf([
      { menu: '4.1.7', count: 2, more: false },
      { menu: '4.1.3', count: 1, more: false },
      { menu: '4.1.7', count: 3, more: false },
    ]),
  ).toEqual([
    { menu: '4.1.7', count: 5, more: false },
    { menu: '4.1.3', count: 1, more: false },
  ])
})

it('counts up to the limit of the to-do card and reports that there are more', () => {
  const half = Math.ceil(toDoMost / 2) + 1
  const twice = (count: number, more: boolean) =>
    badgesOf([
      { menu: 'a', count, more },
      { menu: 'a', count: half, more: false },
    ])
  expect(twice(half, false)).toEqual([{ menu: 'a', count: toDoMost, more: true }])
  expect(twice(0, true)).toEqual([{ menu: 'a', count: half, more: true }])
})
