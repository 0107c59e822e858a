import { z } from 'zod'
import { enabledStatus } from '../common.ts'
import { defineCrud } from '../kit/crud.ts'
import { f, formOf } from '../kit/fields.ts'
import { type DataOf, done, get, post } from '../kit/route.ts'
import { id, keyword, row, text } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { byPlatform } from './catalogue.ts'
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

/** An attribute of a template, with the value that a device of it begins with. */
export type TemplateItem = z.infer<typeof TemplateItem>
export const TemplateItem = row({
  attributeId: z.string(),
  ...attributeShape,
  ownDefault: z.string().nullable().describe('what the attribute itself says'),
  defaultValue: z.string().nullable().describe('what this template says instead; null: nothing else'),
})

/** Most attributes of one template. */
export const maxTemplateItems = 200

const { menu, module, fields } = attributeTemplateCrud
const form = formOf(fields, ['name', 'version', 'remark'])

export const attributeTemplate = {
  ...attributeTemplateCrud.routes,
  /** Those in use, to choose from. */
  options: get('/seeker/api/attributeTemplate/options', {
    access: { menu: [menu, menuKey.deviceType] },
    data: z.array(row({ id: z.string(), name: z.string(), version: z.string() })),
  }),
  /** A new template with the same attributes. */
  copy: post('/seeker/api/attributeTemplate/copy', {
    access: byPlatform(menu, 'add'),
    audit: { module, does: '复制模板' },
    idempotent: true,
    body: row({ id, ...form }),
    data: row({ id: z.string() }),
  }),
  /** The attributes of a template in their order. */
  items: get('/seeker/api/attributeTemplate/{id}/items', {
    access: { menu },
    params: row({ id }),
    data: z.array(TemplateItem),
  }),
  /** Attributes in use, to choose from. */
  attributes: get('/seeker/api/attributeTemplate/attributes', {
    access: { menu },
    data: z.array(row({ attributeId: z.string(), ...attributeShape, ownDefault: z.string().nullable() })),
  }),
  saveItems: post('/seeker/api/attributeTemplate/saveItems', {
    access: byPlatform(menu, 'edit'),
    audit: { module, does: '维护模板属性' },
    encoding: 'json',
    body: row({
      id,
      items: z
        .array(row({ attributeId: id, defaultValue: text(100, '默认值').optional() }))
        .max(maxTemplateItems, `一个模板最多${maxTemplateItems}个属性`)
        .describe('all of them, in their order'),
    }),
    data: done,
  }),
}
