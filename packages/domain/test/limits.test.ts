import { describe, expect, it } from 'vitest'
import {
  cartAddProblem,
  cartSizeProblem,
  pageSizes,
  pictureMaxBytes,
  segmentCountProblem,
  selectionProblem,
} from '../src/limits.ts'

describe('limits', () => {
  it('[valid.cart-size] accepts 999 items and not one more', () => {
    expect(cartSizeProblem(0)).toBeUndefined()
    expect(cartSizeProblem(999)).toBeUndefined()
    expect(cartSizeProblem(1000)).toBe('购物车最多可添加999件商品')
  })

  it('[valid.cart-add] accepts 2000 at once and not one more', () => {
    expect(cartAddProblem(1)).toBeUndefined()
    expect(cartAddProblem(2000)).toBeUndefined()
    expect(cartAddProblem(2001)).toBe('单次最多可添加2000件')
  })

  it('[valid.segments] accepts 12 segments and not one more', () => {
    expect(segmentCountProblem(12)).toBeUndefined()
    expect(segmentCountProblem(13)).toBe('最多可设置12个时段')
  })

  it('[valid.nothing-selected] requires a selection', () => {
    expect(selectionProblem([])).toBe('当前未选择任何记录')
    expect(selectionProblem(['1'])).toBeUndefined()
  })

  it('[helper.pagination-sizes] offers the sizes of the specification', () => {
    expect(pageSizes).toEqual([10, 20, 30, 50, 100, 500])
  })

  it('limits a picture to 800 KB', () => {
    expect(pictureMaxBytes).toBe(800 * 1024)
  })
})
