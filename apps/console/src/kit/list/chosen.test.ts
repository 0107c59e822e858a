import { expect, it } from 'vitest'
import { chosenBody, chosenText, noneChosen, wholeFilter } from './chosen.ts'

it('a batch receives ids or a filter, never both', () => {
  expect(chosenBody({ ids: ['1', '2'] })).toEqual({ ids: ['1', '2'] })
  expect(chosenBody({ ids: [], filter: 'status=1' })).toEqual({ filter: 'status=1' })
  expect(chosenBody(noneChosen)).toEqual({ ids: [] })
})

it('a filter without a condition is sent explicitly', () => {
  expect(wholeFilter('')).toBe('pageNum=1')
  expect(wholeFilter('status=1')).toBe('status=1')
})

it('shows the number of selected rows, and whether there are more', () => {
  expect(chosenText({ count: 3, bounded: false })).toBe('已选 3 条')
  expect(chosenText({ filter: '', count: 2386, bounded: false })).toBe('已选筛选结果中的全部 2386 条')
  expect(chosenText({ filter: '', count: 10_000, bounded: true })).toBe('已选筛选结果中的全部记录（超过 10000 条）')
})
