import type { Region } from '@wattdeck/contract/system/region.ts'
import { expect, it } from 'vitest'
import { pathNames, pathOf, regionOptions } from './region-options.ts'

const row = (adcode: string, name: string, leaf = false): Region => ({
  adcode,
  name,
  level: 1,
  lng: 120,
  lat: 30,
  approximate: false,
  leaf,
})
const levels = [
  { parent: undefined, rows: [row('330000', '浙江省'), row('710000', '台湾省', true)], loading: false },
  { parent: '330000', rows: [row('330100', '杭州市')], loading: false },
  { parent: '330100', rows: undefined, loading: true },
]

it('a cascade has the loaded children, and marks the loading ones', () => {
  expect(regionOptions(levels)).toEqual([
    {
      value: '330000',
      label: '浙江省',
      isLeaf: false,
      children: [{ value: '330100', label: '杭州市', isLeaf: false, loading: true }],
    },
    { value: '710000', label: '台湾省', isLeaf: true },
  ])
  expect(regionOptions([])).toEqual([])
})

it('a path has names as far as they are loaded', () => {
  const options = regionOptions(levels)
  expect(pathNames(options, ['330000', '330100', '330110'])).toEqual(['浙江省', '杭州市', '330110'])
  expect(pathNames(options, [])).toEqual([])
  expect(pathNames([], ['330000'])).toEqual(['330000'])
})

it('a path leaves out levels that are not selected', () => {
  expect(pathOf('330000', null, undefined)).toEqual(['330000'])
  expect(pathOf('330000', '330100', '')).toEqual(['330000', '330100'])
})
