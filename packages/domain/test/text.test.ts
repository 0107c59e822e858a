import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fileSizeText, greeting, jumperTexts, pageSizeText, secondsText, totalText } from '../src/text.ts'

describe('fileSizeText', () => {
  it.each([
    [0, '0B'],
    [12, '12B'],
    [102, '102B'],
    [102.39, '102.39B'],
    [102.4, '0.1KB'],
    [103, '0.1KB'],
    [3584, '3.5KB'],
    [104_857, '102.4KB'],
    [104_857.6, '0.1MB'],
    [104_858, '0.1MB'],
    [1_258_291, '1.2MB'],
    [107_374_182, '102.4MB'],
    [107_374_182.4, '0.1GB'],
    [107_374_183, '0.1GB'],
    [2 * 1024 ** 3, '2GB'],
    [1024 ** 4, '1024GB'],
  ])('[helper.file-size] shows %d bytes as %s', (bytes, text) => {
    expect(fileSizeText(bytes)).toBe(text)
  })

  it('[helper.file-size] has at most two decimals and one unit', () => {
    fc.assert(
      fc.property(fc.nat(), (bytes) => {
        expect(fileSizeText(bytes)).toMatch(/^\d+(\.\d{1,2})?(B|KB|MB|GB)$/)
      }),
    )
  })
})

describe('secondsText', () => {
  it.each([
    [0, '0秒'],
    [1, '1秒'],
    [59, '59秒'],
    [60, '1分钟0秒'],
    [61, '1分钟1秒'],
    [3599, '59分钟59秒'],
    [3600, '1小时0分钟0秒'],
    [86_399, '23小时59分钟59秒'],
    [86_400, '1天0小时0分钟0秒'],
    [93_784, '1天2小时3分钟4秒'],
    [8_640_000, '100天0小时0分钟0秒'],
    [59.9, '59秒'],
    [-5, '0秒'],
  ])('[helper.seconds] shows %d seconds as %s', (seconds, text) => {
    expect(secondsText(seconds)).toBe(text)
  })

  it('[helper.seconds] contains the whole duration', () => {
    const worth: Record<string, number> = { 天: 86_400, 小时: 3600, 分钟: 60, 秒: 1 }
    fc.assert(
      fc.property(fc.nat(), (seconds) => {
        const parts = [...secondsText(seconds).matchAll(/(\d+)(天|小时|分钟|秒)/g)]
        const sum = parts.reduce((total, [, count, unit]) => total + Number(count) * (worth[String(unit)] ?? NaN), 0)
        expect(sum).toBe(seconds)
      }),
    )
  })
})

describe('greeting', () => {
  it.each([
    [0, '早上好'],
    [8, '早上好'],
    [9, '上午好'],
    [11, '上午好'],
    [12, '中午好'],
    [13, '中午好'],
    [14, '下午好'],
    [18, '下午好'],
    [19, '晚上好'],
    [23, '晚上好'],
  ])('[helper.greeting] greets at %i with %s', (hour, text) => {
    expect(greeting(hour)).toBe(text)
  })
})

describe('pagination texts', () => {
  it('[helper.pagination-text] counts the rows', () => {
    expect(totalText(0)).toBe('共 0 条')
    expect(totalText(1234)).toBe('共 1234 条')
  })

  it('[helper.pagination-text] states when the count is bounded', () => {
    expect(totalText(10_000, 'to-bound')).toBe('超过 10000 条')
  })

  it('[helper.page-size-text] names the size of a page', () => {
    expect(pageSizeText(20)).toBe('20 条/页')
  })

  it('[helper.jumper] has a text on each side of the page number', () => {
    expect(jumperTexts).toEqual({ before: '跳至', after: '页' })
  })
})
