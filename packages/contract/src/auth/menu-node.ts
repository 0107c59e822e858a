import { z } from 'zod'
import { enabledStatus } from '../common.ts'
import { codes } from '../kit/codes.ts'
import { row } from '../kit/wire.ts'

export const menuKind = codes({
  directory: { code: 1, label: '目录' },
  menu: { code: 2, label: '菜单' },
  button: { code: 3, label: '按钮' },
})

const own = {
  id: z.string(),
  parentId: z.string().nullable(),
  menuKey: z.string(),
  title: z.string(),
  route: z.string().nullable(),
  kind: menuKind.schema,
  icon: z.string().nullable(),
  sort: z.int(),
  alwaysVisible: z.boolean(),
  status: enabledStatus.schema,
}
export type MenuNode = z.infer<z.ZodObject<typeof own>> & { childMenus: MenuNode[] }
export const MenuNode: z.ZodType<MenuNode> = row({ ...own, childMenus: z.array(z.lazy(() => MenuNode)) }).meta({
  id: 'MenuNode',
})
