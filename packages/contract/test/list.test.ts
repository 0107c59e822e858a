import { expect, it } from 'vitest'
import { enabledStatus } from '../src/common.ts'
import { f, formOf, rowOf, shownNames } from '../src/kit/fields.ts'
import { defineList } from '../src/kit/list.ts'
import { row } from '../src/kit/wire.ts'
import { menuKey } from '../src/menu-keys.ts'

type Place = { city: string; street: string }
const fields = {
  name: f.text('名称', 20),
  spaces: f.whole('车位数', 0, 100, { optional: 'form' }),
  phone: f.phone('电话', { optional: false }),
  place: f.derived('地点', ({ city, street }: Place) => `${city} ${street}`),
  city: f.data(f.shown('市').out),
  street: f.data(f.shown('街道').out),
}

it('a view is a column and not a field of the row', () => {
  expect(shownNames(fields)).toEqual(['name', 'spaces', 'phone', 'place'])
  const { shape } = rowOf(fields)
  expect(Object.keys(shape)).toEqual(['id', 'name', 'spaces', 'phone', 'city', 'street'])
})

it('a field that only a form may omit is never null in a row', () => {
  const form = row(formOf(fields, ['name', 'spaces']))
  expect(form.safeParse({ name: '一' }).success).toBe(true)
  const inRow = (spaces: unknown) => rowOf(fields).shape.spaces.safeParse(spaces).success
  expect([inRow(0), inRow(null)]).toEqual([true, false])
})

it('a phone that every row has is required in a form and never null in a row', () => {
  expect(row(formOf(fields, ['phone'])).safeParse({}).success).toBe(false)
  expect(rowOf(fields).shape.phone.safeParse(null).success).toBe(false)
})

const list = defineList('/seeker/api/example', {
  menu: menuKey.site,
  module: '示例',
  fields: { ...fields, status: f.code('状态', enabledStatus) },
  filter: { exact: ['status'], region: '区域', owner: ['organise'] },
  paths: { list: '/seeker/api/example/list' },
  exports: true,
})

it('a filter by region accepts the codes of province, city and district', () => {
  const query = { provinceCode: '330000', cityCode: '330100', districtCode: '330106' }
  expect(row(list.filterShape).parse(query)).toEqual(query)
  expect(row(list.filterShape).safeParse({ provinceCode: '浙江' }).success).toBe(false)
})

it('a list with its own path keeps the default path of its file', () => {
  expect(list.routes.list.path).toBe('/seeker/api/example/list')
  expect(list.routes.exportList.path).toBe('/seeker/api/example/export')
})
