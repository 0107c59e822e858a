import { describe, expect, it } from 'vitest'
import { activeChips, type Filter, filterKey, formValues, levelsOf, queryChanges } from './filters.ts'

type Query = { name?: string; status?: number; from?: string; to?: string }
const filters: Filter<Query>[] = [
  { kind: 'text', name: 'name', label: '姓名' },
  { kind: 'select', name: 'status', label: '状态', options: [{ value: 0, label: '停用' }] },
  { kind: 'dates', from: 'from', to: 'to', label: '日期' },
]

it('a range of days is one field of the form and two of the query', () => {
  const values = formValues(filters, { name: 'a', from: '2026-01-01', to: '2026-01-31' })
  expect(values).toEqual({ name: 'a', status: undefined, from: ['2026-01-01', '2026-01-31'] })
  expect(queryChanges(filters, values)).toEqual({
    name: 'a',
    status: undefined,
    from: '2026-01-01',
    to: '2026-01-31',
  })
  expect(filters.map((filter) => filterKey(filter))).toEqual(['name', 'status', 'from'])
})

it('a cleared range empties both ends', () => {
  expect(queryChanges(filters, { from: null })).toMatchObject({ from: undefined, to: undefined })
})

it('a region is one field of the form and three of the query', () => {
  const region: Filter<object>[] = [{ kind: 'region', label: '区域' }]
  expect(region.map((filter) => filterKey(filter))).toEqual(['provinceCode'])
  const query = { provinceCode: '330000', cityCode: '330100', districtCode: undefined }
  const values = formValues(region, query)
  expect(values).toEqual({ provinceCode: ['330000', '330100'] })
  expect(queryChanges(region, values)).toEqual(query)
  const none = { provinceCode: undefined, cityCode: undefined, districtCode: undefined }
  expect(queryChanges(region, { provinceCode: undefined })).toEqual(none)
  expect(activeChips(region, query)).toEqual([
    { key: 'provinceCode', text: '区域', region: ['330000', '330100'], cleared: none },
  ])
  expect(activeChips(region, {})).toEqual([])
})

describe('chips', () => {
  it('name each active filter, also zero, and the change that clears it', () => {
    expect(activeChips(filters, { name: '', status: 0, from: '2026-01-01' })).toEqual([
      { key: 'status', text: '状态：停用', cleared: { status: undefined } },
      { key: 'from', text: '日期：2026-01-01 至 不限', cleared: { from: undefined, to: undefined } },
    ])
  })

  it('show the value itself when no option has it', () => {
    expect(activeChips(filters, { status: 9 }).map((chip) => chip.text)).toEqual(['状态：9'])
  })
})

describe('the owner', () => {
  type Owned = { organiseId?: string; agentId?: string; siteId?: string }
  const whole: Filter<Owned>[] = [{ kind: 'owner' }]
  const part: Filter<Owned>[] = [{ kind: 'owner', levels: ['organise', 'agent'] }]

  it('is one field of the form and three of the query, or as many as the list has', () => {
    const values = formValues(whole, { organiseId: '2', siteId: '5', other: 'x' })
    expect(values).toEqual({ owner: { organiseId: '2', agentId: undefined, siteId: '5' } })
    expect(queryChanges(whole, values)).toEqual({ organiseId: '2', agentId: undefined, siteId: '5' })
    expect(queryChanges(part, { owner: null })).toEqual({ organiseId: undefined, agentId: undefined })
    expect(part.map((filter) => (filter.kind === 'owner' ? levelsOf(filter) : []))).toEqual([['organise', 'agent']])
  })

  it('has a chip with the name of each level; clearing one clears those below', () => {
    const names = { organiseId: '绿行充电', agentId: '浙北运营中心 / 余杭代理', siteId: '翠湖花园' }
    const chips = activeChips(whole, { organiseId: '2', agentId: '3', siteId: '4' }, names)
    expect(chips.map((chip) => chip.text)).toEqual([
      '所属机构：绿行充电',
      '所属代理商：浙北运营中心 / 余杭代理',
      '所属站点：翠湖花园',
    ])
    expect(chips.map((chip) => chip.cleared)).toEqual([
      { organiseId: undefined, agentId: undefined, siteId: undefined },
      { organiseId: '2', agentId: undefined, siteId: undefined },
      { organiseId: '2', agentId: '3', siteId: undefined },
    ])
    expect(activeChips(part, { siteId: '4' })).toEqual([])
    expect(activeChips(part, { agentId: '3' }).map((chip) => chip.text)).toEqual(['所属代理商：3'])
  })
})
