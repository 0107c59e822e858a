import { z } from 'zod'
import { actionKind, enabledStatus } from '../common.ts'
import { codes } from '../kit/codes.ts'
import { f, formOf } from '../kit/fields.ts'
import { defineList } from '../kit/list.ts'
import type { DataOf } from '../kit/route.ts'
import { screenRoutes } from '../kit/screen-routes.ts'
import { id, keyword } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'

const resourceMethod = codes({ get: { code: 'GET', label: 'GET' }, post: { code: 'POST', label: 'POST' } })

const menu = menuKey.resource
const module = '资源管理'
const { change, create, remove } = screenRoutes({ menu, module })

export const resourceList = defineList('/seeker/api/resource', {
  menu,
  module,
  fields: {
    name: f.text('资源名称', 40, { width: 130 }),
    code: f.id(
      '资源编码',
      z
        .string()
        .max(60)
        .regex(/^[\w:.-]+$/, '请输入正确的资源编码'),
      { width: 130 },
    ),
    menu: f.derived(
      '所属菜单',
      ({ menuTitle, menuKey: key }: { menuTitle: string; menuKey: string }) => `${menuTitle}（${key}）`,
      { width: 150 },
    ),
    action: f.code('操作类型', actionKind, { width: 90 }),
    path: f.shown('接口地址', { width: 250 }),
    method: f.code('方法', resourceMethod, { width: 70 }),
    status: f.code('状态', enabledStatus, { width: 80 }),
    createdAt: f.audit.createdAt,
    updatedAt: f.audit.updatedAt,
    menuId: f.data(z.string()),
    menuKey: f.data(z.string()),
    menuTitle: f.data(z.string()),
  },
  decided: [['name', 'code'], ['menu', 'action'], ['path', 'method'], ['status']],
  filter: {
    own: { menuId: { schema: id }, name: { title: '资源名称', schema: keyword } },
    exact: ['action'],
  },
})
export type Resource = DataOf<typeof resourceList.routes.list>['rows'][number]

const fields = {
  ...formOf(resourceList.fields, ['name', 'action', 'method']),
  path: z
    .string()
    .max(200)
    .regex(/^\/[\w/{}.-]+$/, '请输入正确的接口地址'),
}

export const resource = {
  ...resourceList.routes,
  add: create('/seeker/api/resource/save', '新增资源', { menuId: id, code: resourceList.fields.code.in, ...fields }),
  edit: change('/seeker/api/resource/update', '编辑资源', { id, ...fields }),
  toggle: change('/seeker/api/resource/toggle', '启停资源', { id, status: enabledStatus.wire }),
  remove: remove('/seeker/api/resource/delete', '删除资源'),
}
