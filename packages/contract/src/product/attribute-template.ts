import { z } from 'zod'
import { enabledStatus } from '../common.ts'
import { page, PageQuery } from '../kit/page.ts'
import { done, get, post } from '../kit/route.ts'
import { id, keyword, lines, row, text } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { byPlatform, madeBy } from './catalogue.ts'
import { attributeShape } from './platform-attribute.ts'

export type AttributeTemplate = z.infer<typeof AttributeTemplate>
export const AttributeTemplate = row({
  id: z.string(),
  name: z.string(),
  version: z.string(),
  attributeCount: z.int(),
  groupNames: z.array(z.string()),
  typeNames: z.array(z.string()),
  remark: z.string().nullable(),
  status: enabledStatus.schema,
  ...madeBy,
})

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

const menu = menuKey.attributeTemplate
const module = '属性模板库'
const fields = {
  name: text(40, '模板名称'),
  version: text(20, '版本'),
  remark: lines(300, '备注').optional(),
}

export const attributeTemplate = {
  list: get('/seeker/api/attributeTemplate/pageList', {
    access: { menu },
    query: PageQuery.extend({
      keyword: keyword.optional().describe('a part of the name'),
      deviceTypeId: id.optional(),
      status: enabledStatus.wire.optional(),
    }),
    data: page(AttributeTemplate),
  }),
  /** Those in use, to choose from. */
  options: get('/seeker/api/attributeTemplate/options', {
    access: { menu: [menu, menuKey.deviceType] },
    data: z.array(row({ id: z.string(), name: z.string(), version: z.string() })),
  }),
  add: post('/seeker/api/attributeTemplate/save', {
    access: byPlatform(menu, 'add'),
    audit: { module, does: '新增模板' },
    idempotent: true,
    body: row(fields),
    data: row({ id: z.string() }),
  }),
  edit: post('/seeker/api/attributeTemplate/update', {
    access: byPlatform(menu, 'edit'),
    audit: { module, does: '编辑模板' },
    body: row({ id, ...fields }),
    data: done,
  }),
  /** A new template with the same attributes. */
  copy: post('/seeker/api/attributeTemplate/copy', {
    access: byPlatform(menu, 'add'),
    audit: { module, does: '复制模板' },
    idempotent: true,
    body: row({ id, ...fields }),
    data: row({ id: z.string() }),
  }),
  toggle: post('/seeker/api/attributeTemplate/toggle', {
    access: byPlatform(menu, 'edit'),
    audit: { module, does: '启停模板' },
    body: row({ id, status: enabledStatus.wire }),
    data: done,
  }),
  remove: post('/seeker/api/attributeTemplate/delete', {
    access: byPlatform(menu, 'delete'),
    audit: { module, does: '删除模板' },
    body: row({ id }),
    data: done,
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
