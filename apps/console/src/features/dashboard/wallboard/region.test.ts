import { describe, expect, it } from 'vitest'
import { filterOf, levelOf, lowestOf, pathBelow, pathTo, readAdcode, treePath } from './region.ts'

describe('a region on a wallboard', () => {
  it('has a level determined by its code', () => {
    expect(['', '330000', '330100', '330106'].map(levelOf)).toEqual(['country', 'province', 'city', 'district'])
  })

  it('is reached from the country, and in a municipality without a city in between', () => {
    expect(pathTo('330106')).toEqual(['', '330000', '330100', '330106'])
    expect(pathTo('110101')).toEqual(['', '110000', '110101'])
    expect(pathTo('429004')).toEqual(['', '420000', '429000', '429004'])
    expect(pathTo('')).toEqual([''])
    expect(['110101', '810001', '330100', ''].map(treePath)).toEqual([
      ['110000', '110100', '110101'],
      ['810000', '810100', '810001'],
      ['330000', '330100'],
      [],
    ])
  })

  it('is never reached from above the region of a link', () => {
    expect(pathBelow('330000', '330106')).toEqual(['330000', '330100', '330106'])
    expect(pathBelow('330000', '')).toEqual(['330000'])
    expect(pathBelow('330000', '510100')).toEqual(['330000'])
  })

  it('is queried by its lowest part', () => {
    expect(filterOf('')).toEqual({})
    expect(filterOf('330100')).toEqual({ city: '330100' })
    expect(lowestOf({ province: '330000', city: '330100' })).toBe('330100')
    expect(lowestOf({})).toBe('')
  })

  it('is the country when the URL contains none', () => {
    expect([null, '', 'x', '33', '930000', '330000'].map(readAdcode)).toEqual(['', '', '', '', '', '330000'])
  })
})
