import { z } from 'zod'
import { enabledStatus } from '../common.ts'
import { get } from '../kit/route.ts'
import { screenRoutes } from '../kit/screen-routes.ts'
import { flag, id, keyword, row, text, whole } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { menuKind, MenuNode } from '../auth/menu-node.ts'

const menu = menuKey.menuManager
const module = '菜单管理'
const { change, create, remove } = screenRoutes({ menu, module })

const fields = {
  title: text(30, '菜单名称'),
  route: z
    .string()
    .max(120)
    .regex(/^\/[\w/.-]*$/, '路由须以/开头')
    .optional(),
  kind: menuKind.wire,
  icon: z
    .string()
    .max(30)
    .regex(/^[a-z-]+$/, '图标名称不正确')
    .optional(),
  sort: whole(0, 9999),
  alwaysVisible: flag,
}

export const menuManager = {
  /** The menus of the caller; a super admin sees all, including disabled ones. */
  tree: get('/seeker/api/menu/tree', {
    access: { menu: [menu, menuKey.department, menuKey.role, menuKey.resource] },
    query: row({ title: keyword.optional(), menuKey: keyword.optional(), status: enabledStatus.wire.optional() }),
    data: z.array(MenuNode),
  }),
  userTree: get('/seeker/api/menu/tree/privilege/{userId}', {
    access: 'anyone',
    params: row({ userId: id }),
    data: z.array(MenuNode),
  }),
  add: create('/seeker/api/menu/save', '新增菜单', {
    parentId: id.optional(),
    menuKey: z
      .string()
      .max(30)
      .regex(/^\d{1,3}(\.\d{1,3}){0,4}$/, '菜单编码形如 1.1.3'),
    ...fields,
  }),
  edit: change('/seeker/api/menu/update', '编辑菜单', { id, ...fields }),
  toggle: change('/seeker/api/menu/toggle', '启停菜单', { id, status: enabledStatus.wire }),
  /** Moves a menu one place among its siblings. */
  move: change('/seeker/api/menu/move', '调整菜单顺序', { id, direction: z.enum(['up', 'down']) }),
  remove: remove('/seeker/api/menu/delete', '删除菜单'),
}
