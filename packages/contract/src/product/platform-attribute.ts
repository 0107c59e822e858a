import { attributeTypeCode, maxOptions, optionsOf } from '@wattdeck/domain/attribute-value.ts'
import { z } from 'zod'
import { enabledStatus } from '../common.ts'
import { codes } from '../kit/codes.ts'
import { f } from '../kit/fields.ts'
import { defineList } from '../kit/list.ts'
import type { DataOf } from '../kit/route.ts'
import { screenRoutes } from '../kit/screen-routes.ts'
import { decimal, id, keyword, lines, row, text } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'

export const attributeType = codes({
  integer: { code: attributeTypeCode.integer, label: '整数' },
  decimal: { code: attributeTypeCode.decimal, label: '小数' },
  choice: { code: attributeTypeCode.choice, label: '枚举' },
  onOff: { code: attributeTypeCode.onOff, label: '开关' },
  text: { code: attributeTypeCode.text, label: '文本' },
})

export const attributeAccess = codes({
  read: { code: 1, label: '只读' },
  write: { code: 2, label: '只写' },
  readWrite: { code: 3, label: '读写' },
})

/** The definition of an attribute, with its value range. */
export const attributeShape = {
  identifier: z.string(),
  name: z.string(),
  dataType: attributeType.schema,
  unit: z.string().nullable(),
  minimum: z.number().nullable(),
  maximum: z.number().nullable(),
  options: z.array(row({ value: z.string(), label: z.string() })),
  access: attributeAccess.schema,
  groupName: z.string(),
}

const menu = menuKey.platformAttribute
const module = '平台属性'
const { read, change, create, remove } = screenRoutes({ menu, module, platform: true })

export const platformAttributeList = defineList('/seeker/api/platformAttribute', {
  menu,
  module,
  fields: {
    name: f.shown('属性名称', { width: 130 }),
    identifier: f.no('标识', { width: 190 }),
    dataType: f.code('数据类型', attributeType, { width: 80 }),
    unit: f.shown('单位', { optional: true, width: 55 }),
    defaultValue: f.shown('默认值', { optional: true, width: 80 }),
    access: f.code('读写', attributeAccess, { width: 60 }),
    groupName: f.shown('分组', { width: 90 }),
    status: f.code('状态', enabledStatus, { width: 70 }),
    templateCount: f.count('模板数', { width: 80, hidden: true }),
    ...f.audit,
    minimum: f.data(attributeShape.minimum),
    maximum: f.data(attributeShape.maximum),
    options: f.data(attributeShape.options),
  },
  filter: {
    own: {
      keyword: { title: '名称/标识', schema: keyword.describe('part of the name, or prefix of the identifier') },
      groupName: { schema: keyword },
    },
    exact: ['dataType', 'status'],
  },
})
export type PlatformAttribute = DataOf<typeof platformAttributeList.routes.list>['rows'][number]

/** One option a line: 值=名称. */
const optionLines = lines(2000, '枚举值').refine(
  (value) => optionsOf(value) !== undefined,
  `请每行填写一个枚举值，形如 1=开启，值不重复，最多${maxOptions}个`,
)

const bound = (label: string) => decimal(-999_999_999, 999_999_999, 4, label)
const fields = {
  name: text(40, '属性名称'),
  dataType: attributeType.wire,
  unit: text(12, '单位').optional(),
  minimum: bound('最小值').optional(),
  maximum: bound('最大值').optional(),
  options: optionLines.optional().describe('of an enumeration: one 值=名称 a line'),
  defaultValue: text(100, '默认值').optional(),
  access: attributeAccess.wire,
  groupName: text(20, '分组'),
}

export const platformAttribute = {
  ...platformAttributeList.routes,
  groups: read('/seeker/api/platformAttribute/groups', { data: z.array(z.string()) }),
  add: create('/seeker/api/platformAttribute/save', '新增属性', {
    identifier: z.string().regex(/^[a-z][A-Za-z\d]{1,39}$/, '标识为2-40位字母或数字，以小写字母开头'),
    ...fields,
  }),
  edit: change('/seeker/api/platformAttribute/update', '编辑属性', { id, ...fields }),
  toggle: change('/seeker/api/platformAttribute/toggle', '启停属性', { id, status: enabledStatus.wire }),
  remove: remove('/seeker/api/platformAttribute/delete', '删除属性'),
}
