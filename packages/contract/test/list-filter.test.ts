import { describe, expect, it } from 'vitest'
import { filterFields, filterText } from '../src/kit/list-filter.ts'
import { looksPersonal, viewProblem } from '../src/kit/view-problem.ts'
import { PageQuery } from '../src/kit/page.ts'
import { id, keyword, personKeyword } from '../src/kit/wire.ts'

const query = PageQuery.extend({
  name: keyword.optional(),
  person: personKeyword.optional(),
  siteId: id.optional(),
})
const text = (search: string) => filterText(query, new URLSearchParams(search))

it('page, size, cursor and count are not filters', () => {
  expect([...filterFields(query).keys()]).toEqual(['name', 'person', 'siteId'])
})

describe('the text of a filter', () => {
  it('is independent of the order of the input', () => {
    expect(text('siteId=7&name=a')).toBe('name=a&siteId=7')
    expect(text('name=a&siteId=7')).toBe('name=a&siteId=7')
  })

  it('omits paging, empty, invalid and foreign fields', () => {
    expect(text('pageNum=3&pageSize=50&cursor=x&skipCount=true&name=+&siteId=x&tab=1')).toBe('')
  })
})

describe('a view', () => {
  it('may store filters of its list', () => expect(viewProblem(query, 'name=a&siteId=7')).toBeUndefined())

  it.each(['', 'pageNum=1', 'tab=1', 'siteId=x', 'name=a&name=b', 'toString=1', '__proto__=1'])(
    'may not store %j',
    (input) => expect(viewProblem(query, input)).toBeDefined(),
  )

  it('may not store a search for a person', () => {
    expect(viewProblem(query, 'person=a')).toContain('个人信息')
    expect(viewProblem(query, 'name=13812345678')).toContain('个人信息')
  })
})

it.each([
  ['13812345678', true],
  ['尾号 138-1234-5678', true],
  ['zhang@example.cn', true],
  ['330106199001011234', true],
  ['6222 0212 0212 0212', true],
  ['浙A12345', true],
  ['粤bD12345', true],
  ['864410058200000', false],
  ['2026-01-02', false],
  ['新station', false],
  ['值班manager', false],
  ['双路充电桩', false],
])('%s looks personal: %s', (input, expected) => expect(looksPersonal(input)).toBe(expected))
