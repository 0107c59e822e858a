import { z } from 'zod'
import { codes } from '../kit/codes.ts'
import { page, PageQuery } from '../kit/page.ts'
import { personal } from '../kit/personal.ts'
import { aboutPerson } from '../kit/privacy.ts'
import { done, get, post } from '../kit/route.ts'
import { id, idList, keyword, phone, row, text, time } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'

export const departmentType = codes({
  baseService: { code: 1, label: '基础服务' },
  simService: { code: 2, label: 'SIM服务' },
  platform: { code: 3, label: '平台' },
  openPlatform: { code: 4, label: '开放平台' },
})

export type Department = z.infer<typeof Department>
export const Department = row({
  id: z.string(),
  organiseId: z.string(),
  organiseName: z.string(),
  parentId: z.string().nullable(),
  parentName: z.string().nullable(),
  name: z.string(),
  code: z.string(),
  type: departmentType.schema,
  leader: z.string().nullable(),
  phone: personal('phone').nullable(),
  staffCount: z.int(),
  menuIds: z.array(z.string()),
  createdBy: z.string().nullable(),
  createdAt: time,
  updatedAt: time,
})

export type DepartmentNode = { id: string; name: string; parentId: string | null; children: DepartmentNode[] }
export const DepartmentNode: z.ZodType<DepartmentNode> = row({
  id: z.string(),
  name: z.string(),
  parentId: z.string().nullable(),
  children: z.array(z.lazy(() => DepartmentNode)),
}).meta({ id: 'DepartmentNode' })

const menu = menuKey.department
const module = '部门管理'
const fields = {
  name: text(40, '部门名称'),
  code: z
    .string()
    .max(30)
    .regex(/^[\w-]+$/, '请输入正确的部门编码'),
  type: departmentType.wire,
  leader: aboutPerson(text(30, '负责人')).optional(),
  phone: phone.optional(),
}

export const department = {
  tree: get('/seeker/api/department/query/{organiseId}', {
    access: { menu: [menu, menuKey.staff] },
    params: row({ organiseId: id }),
    data: z.array(DepartmentNode),
  }),
  list: get('/seeker/api/department/pageList', {
    access: { menu },
    query: PageQuery.extend({
      organiseId: id.optional(),
      parentId: id.optional(),
      name: keyword.optional(),
      type: departmentType.wire.optional(),
    }),
    data: page(Department),
  }),
  add: post('/seeker/api/department/save', {
    access: { menu, action: 'add' },
    audit: { module, does: '新增部门' },
    idempotent: true,
    body: row({ organiseId: id.optional(), parentId: id.optional(), ...fields }),
    data: row({ id: z.string() }),
  }),
  edit: post('/seeker/api/department/update', {
    access: { menu, action: 'edit' },
    audit: { module, does: '编辑部门' },
    body: row({ id, parentId: id.optional(), ...fields }),
    data: done,
  }),
  remove: post('/seeker/api/department/delete', {
    access: { menu, action: 'delete' },
    audit: { module, does: '删除部门' },
    body: row({ id }),
    data: done,
  }),
  /** The menus of a department are the ceiling for its staff and for the departments below it; none means no ceiling. */
  saveMenus: post('/seeker/api/departmentMenu/save', {
    access: { menu, action: 'edit' },
    audit: { module, does: '分配部门菜单' },
    body: row({ departmentId: id, menuIds: idList().optional() }),
    data: done,
  }),
}
