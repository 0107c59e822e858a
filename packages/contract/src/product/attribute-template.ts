import { z } from 'zod'
import { enabledStatus } from '../common.ts'
import { defineCrud } from '../kit/crud.ts'
import { f, formOf } from '../kit/fields.ts'
import { type DataOf, get } from '../kit/route.ts'
import { screenRoutes } from '../kit/screen-routes.ts'
import { id, keyword, row, text } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { attributeShape } from './platform-attribute.ts'

export const attributeTemplateCrud = defineCrud('/seeker/api/attributeTemplate', {
  name: 'attributeTemplate',
  noun: '模板',
  platform: 'changes',
  fields: {
    name: f.text('模板名称', 40, { width: 220, unique: true }),
    version: f.text('版本', 20, { width: 80 }),
    typeNames: f.names('设备类型'),
    attributeCount: f.count('属性数', { width: 80 }),
    groupNames: f.names('分组', { width: 260 }),
    status: f.code('状态', enabledStatus, { width: 80 }),
    remark: f.lines('备注', 300, { optional: true, width: 220, hidden: true }),
    ...f.audit,
  },
  filter: {
    own: {
      keyword: { title: '模板名称', schema: keyword.describe('a part of the name') },
      deviceTypeId: { schema: id },
    },
    exact: ['status'],
  },
  addForm: [],
  form: ['name', 'version', 'remark'],
})
export type AttributeTemplate = DataOf<typeof attributeTemplateCrud.routes.list>['rows'][number]

/** An attribute of a template, with its initial value. */
export type TemplateItem = z.infer<typeof TemplateItem>
export const TemplateItem = row({
  attributeId: z.string(),
  ...attributeShape,
  ownDefault: z.string().nullable().describe('default value of the attribute'),
  defaultValue: z.string().nullable().describe('override of this template; null: none'),
})

/** Most attributes of one template. */
export const maxTemplateItems = 200

const { menu, module, fields } = attributeTemplateCrud
const form = formOf(fields, ['name', 'version', 'remark'])
const { read, change, create } = screenRoutes({ menu, module, platform: true })

export const attributeTemplate = {
  ...attributeTemplateCrud.routes,
  /** Enabled templates to choose from. */
  options: get('/seeker/api/attributeTemplate/options', {
    access: { menu: [menu, menuKey.deviceType] },
    data: z.array(row({ id: z.string(), name: z.string(), version: z.string() })),
  }),
  /** A new template with the same attributes. */
  copy: create('/seeker/api/attributeTemplate/copy', '复制模板', { id, ...form }),
  /** The attributes of a template in their order. */
  items: read('/seeker/api/attributeTemplate/{id}/items', {
    params: row({ id }),
    data: z.array(TemplateItem),
  }),
  /** Enabled attributes to choose from. */
  attributes: read('/seeker/api/attributeTemplate/attributes', {
    data: z.array(row({ attributeId: z.string(), ...attributeShape, ownDefault: z.string().nullable() })),
  }),
  saveItems: change(
    '/seeker/api/attributeTemplate/saveItems',
    '维护模板属性',
    {
      id,
      items: z
        .array(row({ attributeId: id, defaultValue: text(100, '默认值').optional() }))
        .max(maxTemplateItems, `一个模板最多${maxTemplateItems}个属性`)
        .describe('complete list, in display order'),
    },
    { encoding: 'json' },
  ),
}
