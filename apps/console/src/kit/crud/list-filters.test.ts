import { expect, it } from 'vitest'
import { enabledStatus } from '@wattdeck/contract/common.ts'
import { f } from '@wattdeck/contract/kit/fields.ts'
import { defineList } from '@wattdeck/contract/kit/list.ts'
import { keyword } from '@wattdeck/contract/kit/wire.ts'
import { filterKey } from '../list/filters.ts'
import { listFilters } from './use-field-list.ts'

const spec = {
  menu: '1',
  module: '示例',
  fields: { status: f.code('状态', enabledStatus), createdAt: f.time('创建时间') },
}
const filter = {
  own: { name: { title: '名称', schema: keyword }, linked: { schema: keyword } },
  exact: ['status'],
  days: 'createdAt',
  owner: ['organise', 'agent'],
  region: '区域',
} as const
const keysOf = (order?: readonly string[]) =>
  listFilters(defineList('/x', { ...spec, filter: order === undefined ? filter : { ...filter, order } })).map((one) =>
    filterKey(one),
  )

it('shows the filters of a list, except those for links only', () => {
  expect(keysOf()).toEqual(['name', 'status', 'from', 'owner', 'provinceCode'])
})

it('shows the filters in the order that the list declares', () => {
  const order = ['name', 'region', 'owner', 'status', 'from']
  expect(keysOf(order)).toEqual(['name', 'provinceCode', 'owner', 'status', 'from'])
})
